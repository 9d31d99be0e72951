#include "pairs/concentrated_slope.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/roundings.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

double slope_of_pure_dp(double epsilon) { return epsilon == 0 ? 0 : round_up(epsilon * std::tanh(epsilon / 2), 8); }

// Where the formulas cancel, their first terms are bounds.
double slope_of_range(double epsilon) {
  if (epsilon == 0) return 0;
  const double log_growth = epsilon + std::log(-std::expm1(-epsilon));  // log(e^epsilon - 1)
  const double divergence = log_growth - std::log(epsilon) - 1 + epsilon * std::exp(-log_growth);
  // Rounds three logarithms and terms, and their sum, by some u of each.
  const double doubt = roundings(16, 1, epsilon, log_growth);
  return round_up(std::min(epsilon * epsilon / 8, divergence + doubt), 4);
}

double slope_of_laplace(double epsilon) {
  const double doubt = 4 * unit_roundoff * epsilon;
  return round_up(std::min(epsilon * epsilon / 2, epsilon + std::expm1(-epsilon) + doubt), 4);
}

}  // namespace pld
