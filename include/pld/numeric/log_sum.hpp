#pragma once

#include <cmath>

#include "pld/core/rounding.hpp"

namespace pld {

/// log(e^a + e^b). Domain: any but NaN; -inf is a zero. Error: <= 2 u (1 + |result|).
[[nodiscard]] inline double log_sum(double a, double b) {
  const double top = a > b ? a : b, rest = a > b ? b : a;
  return rest == -infinity || top == infinity ? top : top + std::log1p(std::exp(rest - top));
}

/// log(e^a - e^b) for a >= b; -inf where a <= b.
[[nodiscard]] inline double log_difference(double a, double b) {
  if (b == -infinity) return a;
  return a > b ? a + std::log(-std::expm1(b - a)) : -infinity;
}

/// log(1 - e^x) for x <= 0 (-inf for x >= 0). Error: <= 4 u relative, in the argument x's own terms.
[[nodiscard]] inline double log_one_minus_exp(double x) {
  if (x >= 0) return -infinity;
  return x > -0.6931471805599453 ? std::log(-std::expm1(x)) : std::log1p(-std::exp(x));
}

}  // namespace pld
