#include "numeric/log_range.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/log_doubt.hpp"

namespace pld::contour {

LogRange rounded_outward(LogRange range) {
  // Near 0 a logarithm stands for 1 less something small, whose relative accuracy is to be kept as far as doubles go.
  const auto slack = [](double x) {
    if (!std::isfinite(x) || x == 0) return 0.0;
    return 16 * unit_roundoff * (std::fabs(x) < 0.5 ? std::fabs(x) : 1 + std::fabs(x)) + smallest_steps(x);
  };
  // Masses that were rounded up may add up to more than 1: that says nothing against a logarithm of at most 0.
  const double lower = std::min(range.lower - slack(range.lower), 0.0),
               upper = std::min(range.upper + slack(range.upper), 0.0);
  return {lower, std::clamp(range.value, lower, upper), upper};
}

LogRange one_minus(const LogRange& x) {
  return rounded_outward({log_one_minus_exp_below(x.upper), log_one_minus_exp(x.value), log_one_minus_exp(x.lower)});
}

}  // namespace pld::contour
