#pragma once

#include <cmath>

namespace pld {

/// A logarithm with some thousand times the rounding added that sums and products of terms of this size in all have: of
/// an upper bound whose last digits decide nothing. An infinite one stays.
[[nodiscard]] inline double well_above(double log, double size) {
  constexpr double thousands_of_roundings = 1e-12;
  return std::isinf(log) ? log : log + thousands_of_roundings * (1 + size);
}

/// The same of a logarithm that is as large as its terms, and of a lower bound.
[[nodiscard]] inline double well_above(double log) { return well_above(log, std::fabs(log)); }
[[nodiscard]] inline double well_below(double log) { return -well_above(-log); }

}  // namespace pld
