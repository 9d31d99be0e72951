#include "account/renyi_profile.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <utility>

#include "account/mirrored_profile.hpp"
#include "engines/inverse.hpp"
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
  if (delta == 0) return {infinity, infinity, infinity};
  return epsilon_where([this](double epsilon) { return at(epsilon); }, std::log(delta), centre_);
}

}  // namespace pld
