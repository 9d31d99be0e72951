#include "numeric/log_range.hpp"

#include <cmath>

#include "core/intersection.hpp"
#include "numeric/log_doubt.hpp"

namespace pld::contour {

LogRange rounded_outward(LogRange range) {
  // Near 0 a logarithm stands for 1 less something small, whose relative accuracy is to be kept as far as doubles go.
  const auto slack = [](double x) {
    if (!std::isfinite(x) || x == 0) return 0.0;
    return 16 * unit_roundoff * (std::fabs(x) < 0.5 ? std::fabs(x) : 1 + std::fabs(x)) + smallest_steps(x);
  };
  const Bracket widened{range.lower - slack(range.lower), range.value, range.upper + slack(range.upper)};
  const Bracket found = intersection(widened, at_most(0));
  return {found.lower, found.estimate, found.upper};
}

LogRange one_minus(const LogRange& x) {
  return rounded_outward({log_one_minus_exp_below(x.upper), log_one_minus_exp(x.value), log_one_minus_exp(x.lower)});
}

}  // namespace pld::contour
