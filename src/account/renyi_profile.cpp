#include "account/renyi_profile.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <utility>

#include "account/mirrored_profile.hpp"
#include "numeric/log_sum.hpp"
#include "pairs/renyi_conversion.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

RenyiProfile::RenyiProfile(RenyiCurve curve) : curve_(std::move(curve)) {
  // Any point serves; the best is the one whose chord lies lowest.
  const auto below = [&](double epsilon) {
    return std::log1p(std::exp(epsilon)) - converted(epsilon).log_complement.lower;
  };
  constexpr double farthest = 30;
  constexpr int bits = 20;
  const auto [place, least] = boost::math::tools::brent_find_minima(below, 0.0, farthest, bits);
  centre_ = place;
  log_slope_ = -round_up(least, 8);
}

ProfileBracket RenyiProfile::converted(double epsilon) const {
  const double log_delta = log_delta_of_renyi(curve_, epsilon), log_rest = log_one_minus_exp(log_delta);
  return {{log_delta, log_delta, log_delta}, {round_down(log_rest, 8), log_rest, std::min(0.0, round_up(log_rest, 8))}};
}

ProfileBracket RenyiProfile::at(double epsilon) const {
  if (epsilon < 0) return mirrored_profile(at(-epsilon), -epsilon);
  if (epsilon == infinity) return {{-infinity, -infinity, -infinity}, {0, 0, 0}};
  const ProfileBracket found = converted(epsilon);
  const double log_rest = round_down(log_slope_ + std::log1p(std::exp(std::min(epsilon, centre_))), 8);
  if (epsilon >= centre_ || log_rest <= found.log_complement.lower) return found;
  const double log_delta = std::min(0.0, round_up(log_one_minus_exp(log_rest), 8));
  return {{log_delta, log_delta, log_delta}, {log_rest, log_rest, std::min(0.0, round_up(log_rest, 16))}};
}

Bracket RenyiProfile::epsilon(double delta) const {
  if (delta >= 1) return {-infinity, -infinity, -infinity};
  const double log_delta = std::log(delta), log_complement = std::log1p(-delta);
  // Near 1 delta has its digits in 1 - delta.
  const auto meets = [&](double epsilon) {
    const ProfileBracket found = at(epsilon);
    return delta < 0.5 ? found.log_delta.upper <= round_down(log_delta, 2)
                       : found.log_complement.lower >= round_up(log_complement, 2);
  };
  double low = 0, high = 0;
  for (double step = 1e-3; !meets(high); step *= 2) {
    if (step > 1e300) return {infinity, infinity, infinity};
    low = high, high += step;
  }
  for (double step = 1e-3; low == high && step < 1e300; step *= 2) {
    if (meets(low - step))
      low = high = low - step;
    else
      low -= step;
  }
  constexpr double enough = 1e-13, nearest_zero = 1e-15;
  while (high - low > std::max(nearest_zero, enough * std::fabs(high))) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (meets(middle) ? high : low) = middle;
  }
  return {low, high, high};
}

}  // namespace pld
