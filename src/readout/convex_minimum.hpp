#pragma once

#include <cstddef>
#include <span>

namespace pld {

/// A convex function at x: certified bounds of its value there.
struct ConvexReading {
  double x = 0;  ///< relative to the middle reading's
  double lower = 0, upper = 0;
};

/// A lower bound on a convex function's minimum, and where that bound is the lowest (NaN where there is none).
struct LeastBound {
  double value = 0, x = 0;
};

/// A certified lower bound on the minimum of a convex function from five readings or more, x increasing, the one at
/// `lowest` the least by estimate, with two before it and two behind; -inf where they do not show that the minimum lies
/// between the second and the last but one. `beyond_right` is a bound known for all x beyond the lowest.
///
/// A convex function lies above the chord of two points drawn out beyond them: in each inner interval above two such
/// chords, one from either side, and so above their crossing. Exact for a kink between straight pieces; for a parabola
/// of second derivative c, read at distances d, a quarter of c d^2 low.
///
/// `seam`: how many of the readings are of one convex function where those from there on are of another, both of them
/// bounds from below, everywhere, of the function sought; 0: all are of one. No chord then joins readings of both.
[[nodiscard]] LeastBound convex_minimum(std::span<const ConvexReading> at, std::size_t lowest, double beyond_right,
                                        std::size_t seam = 0);

}  // namespace pld
