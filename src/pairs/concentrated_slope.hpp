#pragma once

namespace pld {

// The least rho with D_a <= rho a for all orders a > 1 that is known of all pairs with ..., rounded up: each is the
// largest Kullback-Leibler divergence, the limit at a = 1. epsilon >= 0, finite.

/// ... losses in [-epsilon, epsilon]: epsilon tanh(epsilon/2) (Steinke 2024, "Tight RDP and zCDP bounds from pure DP").
[[nodiscard]] double slope_of_pure_dp(double epsilon);

/// ... losses in some range of length epsilon: log((e^epsilon - 1) / epsilon) - 1 + epsilon / (e^epsilon - 1)
/// (Harrison, Manurangsi 2026, "Exact zCDP characterizations for fundamental differentially private mechanisms"), which
/// is below epsilon^2 / 8 (Cesar, Rogers 2021).
[[nodiscard]] double slope_of_range(double epsilon);

/// ... Laplace noise of scale 1 at a distance of epsilon: epsilon + e^{-epsilon} - 1 (Harrison, Manurangsi 2026).
[[nodiscard]] double slope_of_laplace(double epsilon);

}  // namespace pld
