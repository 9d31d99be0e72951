#pragma once

#include <boost/math/special_functions/erf.hpp>
#include <numbers>

namespace pld {

/// How far above their limits quantities are, on a scale on which that is linear in the logarithm of a Gaussian's noise
/// or count, and nearly so in those of others. Positive where the limit is missed, never 0. Estimates, which place a
/// search.

/// log delta(epsilon) of the Gaussian pair, to some digits. Domain: mu > 0, epsilon finite.
[[nodiscard]] double gaussian_log_delta(double mu, double epsilon);

/// How far delta(epsilon) misses its limit: the log of the quotient of the mu that Gaussians with such deltas have.
[[nodiscard]] double miss(double epsilon, double log_delta, double log_limit);

/// How far the power at a false positive rate does, likewise.
[[nodiscard]] double power_miss(double fpr, double power, double limit);

/// `by`, but never 0 or of the other sign than `missed` says.
[[nodiscard]] double with_sign(double by, bool missed);

/// The point below which a standard normal law has mass p, 0 < p < 1.
inline double normal_quantile(double p) { return -std::numbers::sqrt2 * boost::math::erfc_inv(2 * p); }

}  // namespace pld
