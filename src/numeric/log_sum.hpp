#pragma once

#include <cmath>
#include <numbers>

#include "numeric/extended.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

/// log(e^a + e^b). Domain: any but NaN; -inf is a zero. Error: <= 2 u (1 + |result|).
template <class T>
[[nodiscard]] T log_sum(T a, T b) {
  const T top = a > b ? a : b, rest = a > b ? b : a;
  return rest == -infinity || top == infinity ? top : top + log1p(exp(rest - top));
}

/// log(e^a - e^b) for a >= b; -inf where a <= b.
template <class T>
[[nodiscard]] T log_difference(T a, T b) {
  if (b == -infinity) return a;
  return a > b ? a + log(-expm1(b - a)) : -static_cast<T>(infinity);
}

/// log(1 - e^x) for x <= 0 (-inf for x >= 0). Error: <= 4 u relative, in the argument x's own terms.
template <class T>
[[nodiscard]] T log_one_minus_exp(T x) {
  if (x >= 0) return -static_cast<T>(infinity);
  return x > -std::numbers::ln2 ? log(-expm1(x)) : log1p(-exp(x));
}

/// log((1 - e^x)^count) for x <= 0 right to u (8 + 2 |x|), which decides everything where e^x is near 1.
[[nodiscard]] inline Bracket log_none_of(double x, double count) {
  if (x == -infinity) return {0, 0, 0};
  const double doubt = (8 + 2 * std::fabs(x)) * unit_roundoff;
  const auto all = [&](double log_one) { return count * log_one_minus_exp(log_one); };
  return {round_down(all(x + doubt), 8), all(x), std::fmin(0.0, round_up(all(x - doubt), 8))};
}

}  // namespace pld
