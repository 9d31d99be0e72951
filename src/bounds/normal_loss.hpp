#pragma once

#include <cmath>
#include <numbers>

#include "numeric/normal_tail.hpp"

namespace pld::bounds {

/// Mills ratio (1 - Phi(x)) / phi(x) on either side of 0. Domain: x > -30. Relative error below 1e-13.
inline double mills_ratio_anywhere(double x) {
  if (x >= 0) return mills_ratio(x);
  return std::sqrt(std::numbers::pi / 2) * std::exp(x * x / 2) * std::erfc(x / std::numbers::sqrt2);
}

/// Phi(x), through the complementary error function in both tails.
inline double normal_cdf(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

/// log E(1 - e^{-s (N - x)})_+ of a standard normal N: log delta of a loss with standard deviation s > 0 at an epsilon
/// x standard deviations above its mean. `exponent` is s (x + s/2), by which epsilon exceeds the mean of the loss of a
/// Gaussian pair of the same s; callers know it without the cancellation. At most 0; error of the
/// logarithm 2e-13 + 4 u (x^2 + s (1 + |x|)).
[[nodiscard]] double log_normal_loss_delta(double x, double s, double exponent);

}  // namespace pld::bounds
