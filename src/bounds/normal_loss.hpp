#pragma once

namespace pld::bounds {

/// log E(1 - e^{-s (N - x)})_+ of a standard normal N: log delta of a loss with standard deviation s > 0 at an epsilon
/// x standard deviations above its mean. `exponent` is s (x + s/2), by which epsilon exceeds the mean of the loss of a
/// Gaussian pair of the same s; callers know it without the cancellation. At most 0; error of the
/// logarithm 2e-13 + 4 u (x^2 + s (1 + |x|)).
[[nodiscard]] double log_normal_loss_delta(double x, double s, double exponent);

}  // namespace pld::bounds
