#pragma once

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <utility>

#include "pld/core/rounding.hpp"

namespace pld {

/// Where a function that falls goes below 0: a point at which it is above 0 and a later one at which it is not, as near
/// to each other as `close(a, b)` says. Searched from `near` outward, a `step` > 0 first and then longer ones; (x, inf)
/// or (-inf, x) where it stays on one side of 0.
template <class F, class Close>
std::pair<double, double> crossing(const F& falling, double near, double step, const Close& close) {
  constexpr double farthest = 1e307, lowest = -1e4;  // a delta below 1 has no lower epsilon
  constexpr double small = 1;
  // Next to a largest loss a logarithm ends in -inf at once, and the interpolation would see nothing else.
  const auto f = [&](double x) {
    constexpr double large = 1e300;
    const double value = std::min(falling(x), large);
    return value > 0 ? std::log1p(value) : std::expm1(value);
  };
  double low = near, high = near, f_low = f(near), f_high = f_low, growth = 2;
  const auto lengthen = [&] { step *= growth, growth *= 1.2; };
  for (; f_high > 0; lengthen()) {
    if (!(high < farthest)) return {high, infinity};
    low = high, f_low = f_high;
    high = std::min(high + step, farthest), f_high = f(high);
  }
  for (; !(f_low > 0); lengthen()) {
    if (!(low > lowest)) return {-infinity, low};
    high = low, f_high = f_low;
    if (low > small) step = std::min(step, 0.75 * low);  // of large ones the size is looked for first
    low -= step, f_low = f(low);
  }
  // Below a first step from 0 it may be of any size: that is looked for first.
  constexpr double least = 1e-300;
  const auto look = [&](double x) {
    const double f_x = f(x);
    (f_x > 0 ? low : high) = x, (f_x > 0 ? f_low : f_high) = f_x;
  };
  for (double part = 1.0 / 16; low == 0 && high > least && !close(low, high); part *= part)
    look(std::max(high * part, least));
  while (low > 0 && high > 16 * low && !close(low, high)) look(std::sqrt(low) * std::sqrt(high));
  if (f_high == 0 || (low == 0 && high <= least)) return {low, high};
  boost::uintmax_t evaluations = 100;  // the ends are good before they are near each other
  return boost::math::tools::toms748_solve(f, low, high, f_low, f_high, close, evaluations);
}

}  // namespace pld
