#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "pld/core/bracket.hpp"
#include "pld/core/finding.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

/// An epsilon nearer to zero is not sought to any relative width.
inline constexpr double nearest_zero = 1e-9;

/// The width that is enough for an epsilon: `tolerance` of it, and an absolute 1e-9 in any case.
[[nodiscard]] inline double enough_width(double epsilon, double tolerance) {
  return std::max(tolerance * std::fabs(epsilon), nearest_zero);
}

/// Whether a bracket of epsilon is as narrow as that; one with an end at infinity only if both are there.
[[nodiscard]] inline bool is_narrow(const Bracket& epsilon, double tolerance) {
  return epsilon.width() < infinity && epsilon.width() <= enough_width(epsilon.estimate, tolerance);
}

/// The same of the logarithm of delta: whether `tolerance` of delta.
[[nodiscard]] inline bool is_narrow_log_delta(const Bracket& log_delta, double tolerance) {
  return log_delta.width() <= std::log1p(tolerance);
}

/// Whether an epsilon that may be a bound alone is no farther above what it bounds than that.
[[nodiscard]] inline bool is_narrow_epsilon(const Finding& epsilon, double tolerance) {
  return epsilon.doubt() <= enough_width(epsilon.estimate, tolerance);
}

/// Whether the logarithm of a delta that may be a bound alone is no farther above what it bounds than `tolerance` of
/// delta, or delta no larger than the least double.
[[nodiscard]] inline bool is_narrow_delta(const Finding& log_delta, double tolerance) {
  return log_delta.doubt() <= std::log1p(tolerance) ||
         std::exp(log_delta.upper) <= std::numeric_limits<double>::denorm_min();
}

}  // namespace pld
