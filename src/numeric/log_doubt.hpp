#pragma once

#include <cmath>
#include <limits>

#include "numeric/log_sum.hpp"
#include "numeric/roundings.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

/// What a logarithm formed of a few others may be off by: log_sum() is right to 2 of the units, log_one_minus_exp() to
/// 4, a sum of two logarithms to 1.
[[nodiscard]] inline double doubt(double log_value, double units = 64) {
  return std::isfinite(log_value) ? roundings(units, log_value) : 0;
}

/// What a pair's finite log mass may be off by, 16 u (1 + |log mass|), and a rounding or two with it.
[[nodiscard]] inline double mass_error(double log_mass) { return roundings(20, log_mass); }

/// What a loss among the smallest doubles may be off by, where a share of it is less than their distance: nothing if it
/// is 0.
[[nodiscard]] inline double smallest_steps(double loss) {
  return loss == 0 ? 0 : 4 * std::numeric_limits<double>::denorm_min();
}

/// log(1 - e^x) from below, x <= 0: less than 0 also where no double is as near to it, unless x is -inf.
[[nodiscard]] inline double log_one_minus_exp_below(double x) {
  if (x == -infinity) return 0;
  return log_one_minus_exp(x) * (1 + 8 * unit_roundoff) - 4 * std::numeric_limits<double>::denorm_min();
}

}  // namespace pld
