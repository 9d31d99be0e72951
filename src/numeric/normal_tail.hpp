#pragma once

namespace pld {

/// Mills ratio (1 - Phi(x)) / phi(x) of the standard normal law. Domain: 0 <= x <= +inf. Error: <= 6 ulp (tested
/// against 100 digits). Source: Cody 1969.
[[nodiscard]] double mills_ratio(double x);

/// log of the standard normal density. Error: <= 2 u (1 + |result|).
[[nodiscard]] inline double log_normal_density(double x) {
  constexpr double log_sqrt_2pi = 0.91893853320467274178;
  return -0.5 * x * x - log_sqrt_2pi;
}

/// log P(N > x), natural log. Domain: any x but NaN. Error: <= 4 u (1 + |result|).
[[nodiscard]] double log_normal_tail(double x);

/// log P(a < N < a + width), natural log. Domain: a finite, 0 <= width <= +inf. Error: <= 16 u (1 + |result|).
[[nodiscard]] double log_normal_interval(double a, double width);

/// P(a < N < a + width) / phi(a): the interval's mass in units of the density at its left end. Domain: a >= 0 finite,
/// width
/// <= +inf. Error: <= 16 u relative where width or a width is 1/2 or more; below, twice that for each halving.
[[nodiscard]] double scaled_normal_interval(double a, double width);

/// E[N | a < N < a + width]. Domain: a finite, width <= +inf, width or |a| width 1/2 or more. Error: <= 16 u relative
/// where the interval does not hold 0, else 16 u in absolute terms.
[[nodiscard]] double truncated_normal_mean(double a, double width);

/// How many terms n = 1, 2, ... of P(|N - m| < h) = 2 h phi(m) (1 + sum_n He_2n(m) h^{2n} / (2n+1)!) leave less than u
/// of the sum, by reach = h max(1, |m|); 0 for a reach above 0.53, where it would be more than 10.
///
/// Term n is at most c_n reach^{2n}, c_n = E(1 + N)^{2n} / (2n+1)! = 1/3, 1/12, 1.5e-2, 2.1e-3, ..., 2.4e-11 (n = 11),
/// because |He_2n(m)| <= E(|m| + N)^{2n}.
[[nodiscard]] int normal_series_terms(double reach);

}  // namespace pld
