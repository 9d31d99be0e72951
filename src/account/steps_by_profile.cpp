#include "account/steps_by_profile.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>

#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// An epsilon at which the profile's upper end is no more than delta; +inf where none is found.
double upper_epsilon(const PrivacyProfile& profile, double delta, DirectionChoice choice) {
  if (delta == 0) return profile.largest_loss(choice).upper;
  constexpr double largest = 1e18, least = -700, off_scale = 1e3;
  const double log_delta = round_down(std::log(delta), 4);
  const auto excess = [&](double epsilon) {
    const double above = profile.log_profile(epsilon, choice).log_delta.upper - log_delta;
    return std::clamp(above, -off_scale, off_scale);
  };
  double low = 0, high = 1, at_low = excess(low), at_high = at_low;
  while (at_low <= 0) {
    if (low < least) return low;
    high = low, at_high = at_low;
    low = 2 * low - 1, at_low = excess(low);
  }
  while (at_high > 0) {
    if (high > largest) return infinity;
    at_high = excess(high);
    if (at_high <= 0) break;
    // The logarithm of delta is mostly concave, so that its secant comes down just beyond it.
    const double beyond = high + (high - low) * at_high / std::max(at_low - at_high, 1e-9);
    low = high, at_low = at_high, high = std::min(2 * high, beyond);
  }
  std::uintmax_t looks = 60;
  const auto close = [](double a, double b) { return b - a <= 1e-11 * (1 + std::fabs(b)); };
  // The bracket's upper end is an epsilon that was asked for, and whose delta is small enough.
  return boost::math::tools::toms748_solve(excess, low, high, at_low, at_high, close, looks).second;
}

}  // namespace

Steps steps_by_profile(const Way& way, const ProfileOptions& options) {
  const PrivacyProfile step(way.step, options);
  return {way,
          [step](const std::vector<double>& epsilons, DirectionChoice direction) {
            std::vector<double> log_deltas;
            for (const ProfileBracket& at : step.log_profile(epsilons, direction))
              log_deltas.push_back(at.log_delta.upper);
            return log_deltas;
          },
          [step](double delta, DirectionChoice direction) { return upper_epsilon(step, delta, direction); }};
}

}  // namespace pld
