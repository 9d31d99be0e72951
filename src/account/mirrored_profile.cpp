#include "account/mirrored_profile.hpp"

#include <cmath>
#include <limits>

#include "core/intersection.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

ProfileBracket mirrored_profile(const ProfileBracket& opposite, double epsilon) {
  if (epsilon == infinity) return {{0, 0, 0}, {-infinity, -infinity, -infinity}};
  const double log_known = log_one_minus_exp(-epsilon);
  const auto complement = [&](double log_complement) { return log_complement - epsilon; };
  // Above 1/2 from the complement, which has the digits there; the sum's own terms are far larger than a logarithm near
  // 0.
  const auto delta = [&](double log_delta, double log_complement) {
    const double log_rest = complement(log_complement);
    return log_rest < -0.7 ? log_one_minus_exp(log_rest) : log_sum(log_known, log_delta - epsilon);
  };
  // A logarithm near 0 is off by what its argument's logarithm is, times itself, and by all of itself where it is less
  // than a double.
  constexpr double least_of_double = 4 * std::numeric_limits<double>::denorm_min();
  const auto error = [&](double log_value, double log_one_less) {
    if (!std::isfinite(log_value)) return 0.0;
    const double size = std::fabs(log_value),
                 exponents = epsilon + (std::isfinite(log_one_less) ? std::fabs(log_one_less) : 0);
    return 8 * unit_roundoff * (size < 0.5 ? size * (1 + exponents) : 1 + size + epsilon) +
           (std::isfinite(log_one_less) ? least_of_double : 0);
  };
  const Bracket &d = opposite.log_delta, &c = opposite.log_complement;
  ProfileBracket out{{delta(d.lower, c.upper), delta(d.estimate, c.estimate), delta(d.upper, c.lower)},
                     {complement(c.lower), complement(c.estimate), complement(c.upper)}};
  const auto widened = [&](const Bracket& b, double below, double above) {
    return intersection({b.lower - error(b.lower, above), b.estimate, b.upper + error(b.upper, below)}, at_most(0));
  };
  out.log_delta = widened(out.log_delta, c.lower, c.upper);
  out.log_complement = widened(out.log_complement, d.lower, d.upper);
  return out;
}

}  // namespace pld
