#include "account/test_threshold.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>

#include "numeric/normal_tail.hpp"

namespace pld {

TestThreshold TestThresholds::at(double alpha) const {
  // By s, the tilt of Q away from an even test, to the side of the smaller one of alpha and 1 - alpha.
  const int side = alpha < 0.5 ? 1 : -1;
  const double log_smaller = std::log(std::min(alpha, 1 - alpha));
  const auto excess = [&](double s) {
    constexpr double farthest = 1e6;  // in spreads: beyond, the squares say nothing
    const CumulantValue k = outlined_.cumulant_at(side * s - 1);
    const double w = std::min(s * std::sqrt(k.variance), farthest);
    return k.value - side * s * k.mean + w * w / 2 + log_normal_tail(w) - log_smaller;
  };
  constexpr int most_tilts = 60;
  constexpr double least_spread = 1e-9;
  double near = 0, s = 1 / std::max(std::sqrt(outlined_.cumulant_at(-1).variance), least_spread);
  double at_near = excess(near), at_s = excess(s);
  for (int tilt = 0; tilt < most_tilts && at_s > 0; ++tilt) {
    near = s, at_near = at_s;
    at_s = excess(s *= 2);
  }
  if (!(at_near > 0)) {
    s = 0;
  } else if (at_s < 0) {
    std::uintmax_t tilts = most_tilts;
    const auto close = [](double a, double b) { return b - a <= 0.01 * b; };
    s = boost::math::tools::toms748_solve(excess, near, s, at_near, at_s, close, tilts).first;
  }
  const CumulantValue there = outlined_.cumulant_at(side * s - 1);
  const double spread = std::sqrt(there.variance);
  return std::isfinite(there.mean) && std::isfinite(spread) ? TestThreshold{there.mean, spread} : TestThreshold{};
}

}  // namespace pld
