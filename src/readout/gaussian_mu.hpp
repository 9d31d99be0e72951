#pragma once

#include "pld/core/profile_bracket.hpp"

namespace pld {

/// A delta, told from others by its logarithm or, next to 1, by that of what is missing.
struct DeltaLogs {
  double log_delta, log_complement;

  static DeltaLogs least(const ProfileBracket& b) { return {b.log_delta.lower, b.log_complement.upper}; }
  static DeltaLogs estimate(const ProfileBracket& b) { return {b.log_delta.estimate, b.log_complement.estimate}; }
  static DeltaLogs most(const ProfileBracket& b) { return {b.log_delta.upper, b.log_complement.lower}; }

  /// Positive where this is the larger one, by as much as its logarithm is.
  [[nodiscard]] double above(const DeltaLogs& other) const {
    return other.log_delta < -0.5 ? log_delta - other.log_delta : other.log_complement - log_complement;
  }
};

/// The profile of the Gaussian mechanism of that mu.
[[nodiscard]] ProfileBracket gaussian_profile(double mu, double epsilon);

/// Gaussians that are computed: a little within what a Gaussian's parameters may be.
constexpr double least_mu = 1.1e-100, most_mu = 0.9e100;

/// The mu whose Gaussian has that delta, by estimate: least_mu where it is less, +inf where it is more than most_mu.
[[nodiscard]] double mu_of(double epsilon, const DeltaLogs& delta);

/// A mu certainly not below (side = upper), or not above, the one whose Gaussian has that delta.
[[nodiscard]] double certain_mu(double epsilon, const DeltaLogs& delta, int side);

/// Of (epsilon, 0)-DP, at most: both trade-off functions meet at the kink of that one, which tells delta(0) =
/// (e^epsilon - 1) / (e^epsilon + 1). Finite where epsilon is.
[[nodiscard]] double mu_of_pure_dp(double epsilon);

}  // namespace pld
