#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "pld/core/rounding.hpp"

namespace pld {

/// The doubles around a number: both are it where it is a double.
struct DoublesAround {
  double below = 0, above = 0;
};

[[nodiscard]] inline bool is_double(const DoublesAround& number) { return number.below == number.above; }

/// Those around a product of two finite numbers >= 0, next to each other unless it is below 1e-290. Beyond the largest
/// double `above` is +inf.
[[nodiscard]] inline DoublesAround doubles_around_product(double x, double y) {
  constexpr double least_with_rest = 1e-290;  // below, what rounding leaves of a product may be no double
  const double nearest = x * y;
  if (nearest == infinity) return {std::numeric_limits<double>::max(), infinity};
  const double rest = std::fma(x, y, -nearest);
  const bool unknown = nearest < least_with_rest && x > 0 && y > 0;
  return {rest < 0 || unknown ? std::max(0.0, std::nextafter(nearest, -infinity)) : nearest,
          rest > 0 || unknown ? std::nextafter(nearest, infinity) : nearest};
}

}  // namespace pld
