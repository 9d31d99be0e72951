#pragma once

#include "pld/core/bracket.hpp"
#include "pld/core/rounding.hpp"

namespace pld::contour {

/// A certified interval for log x and the best guess inside; -inf for x = 0.
struct LogRange {
  double lower = -infinity, value = -infinity, upper = -infinity;

  [[nodiscard]] double width() const { return upper == lower ? 0 : upper - lower; }
  [[nodiscard]] Bracket bracket() const { return {lower, value, upper}; }
};

/// Widened for the rounding of a few operations, within the logarithms of probabilities.
[[nodiscard]] LogRange rounded_outward(LogRange range);

/// log(1 - x) from log x.
[[nodiscard]] LogRange one_minus(const LogRange& x);

}  // namespace pld::contour
