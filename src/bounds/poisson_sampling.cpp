#include "pld/bounds/poisson_sampling.hpp"

#include <algorithm>
#include <cmath>

#include "bounds/log_scale.hpp"
#include "core/standard_arithmetic.hpp"
#include "pld/core/errors.hpp"

namespace pld::bounds {

double poisson_renyi_any(const RenyiCurve& rdp, double q, int alpha) {
  const StandardArithmetic arithmetic;
  require(q >= 0 && q <= 1, "poisson sampling", "q", q, "0 <= q <= 1");
  require(alpha >= 2, "poisson sampling", "alpha", alpha, "a whole order >= 2");
  if (q == 0) return 0;
  if (q == 1) return rdp(alpha);
  const double log_q = std::log(q), log_rest = std::log1p(-q);
  LogSum sum;
  sum.add((alpha - 1) * log_rest + std::log1p((alpha - 1) * q));
  double log_choose = std::log(static_cast<double>(alpha));
  for (int j = 2; j <= alpha; ++j) {
    log_choose += std::log(static_cast<double>(alpha - j + 1) / j);
    sum.add(log_choose + j * log_q + (alpha - j) * log_rest + (j - 1) * rdp(j) + (j > 2 ? std::log(3.0) : 0));
  }
  return std::max(0.0, sum.value() / (alpha - 1));
}

}  // namespace pld::bounds
