#pragma once

#include <cmath>

namespace pld::bounds {

/// The right end of a bracket around the root of a decreasing function, so that f(result) <= 0: sound for an epsilon.
/// Doubles away from `start` by `step` to bracket the root, then halves to `relative` width or the last bit.
template <class Decreasing>
double root_from_above(const Decreasing& f, double start, double step, double relative = 1e-13) {
  double low = start, high = start;
  for (double width = step; f(high) > 0 && std::isfinite(high); width *= 2) low = high, high += width;
  for (double width = step; f(low) <= 0 && std::isfinite(low); width *= 2) high = low, low -= width;
  while (high - low > relative * std::fabs(high)) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    (f(middle) > 0 ? low : high) = middle;
  }
  return high;
}

}  // namespace pld::bounds
