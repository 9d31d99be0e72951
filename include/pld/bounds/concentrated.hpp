#pragma once

#include "pld/bounds/renyi.hpp"

namespace pld::bounds {

/// (xi, rho)-zCDP: D_alpha <= xi + rho alpha for all alpha > 1 (Bun and Steinke 2016, definition 1.1).
/// With xi = 0 it is rho-zCDP.
struct ZeroConcentrated {
  double xi = 0;
  double rho = 0;
};

/// rho = sensitivity^2 / (2 sigma^2) of the Gaussian mechanism (Bun and Steinke 2016, proposition 1.6).
[[nodiscard]] double zcdp_gaussian_rho(double sigma, double sensitivity);
/// rho = epsilon^2 / 2 of any pure epsilon-DP mechanism (Bun and Steinke 2016, proposition 1.4).
[[nodiscard]] double zcdp_rho_of_pure_dp(double epsilon);

/// Both parameters add up (Bun and Steinke 2016, lemma 2.3). Precondition: each step has a zCDP guarantee: a Gaussian
/// (discrete or not), or pure DP; sampling must come before pure DP, since zCDP has no amplification.
[[nodiscard]] ZeroConcentrated zcdp(const Steps& steps);

/// The same with the least rho that is proved of each: epsilon tanh(epsilon/2) of pure DP (Steinke 2024, "Tight RDP and
/// zCDP bounds from pure DP"); of Laplace noise epsilon + e^{-epsilon} - 1, and of a range of losses of length epsilon
/// (the exponential mechanism) log((e^epsilon - 1)/epsilon) - 1 + epsilon/(e^epsilon - 1) (Harrison, Manurangsi 2026).
[[nodiscard]] ZeroConcentrated zcdp_sharp(const Steps& steps);

/// rho = epsilon^2 / 8 of the exponential mechanism, by its bounded range (Cesar, Rogers 2021). Precondition: every
/// step one, unsampled.
[[nodiscard]] ZeroConcentrated zcdp_of_bounded_range(const Steps& steps);

/// epsilon = xi + rho + 2 sqrt(rho log(1/delta)) (Bun and Steinke 2016, lemma 3.5).
[[nodiscard]] double epsilon_from_zcdp(const ZeroConcentrated& zcdp, double delta);
/// The least of the tight Rényi conversion over all orders (Canonne, Kamath, Steinke 2020, corollary 13).
[[nodiscard]] double epsilon_from_zcdp_tight(const ZeroConcentrated& zcdp, double delta);

/// delta-approximate (alpha, epsilon)-RDP (Papernot and Steinke 2022, definition 7).
struct ApproximateRenyi {
  double alpha = 2;
  double epsilon = 0;
  double delta = 0;
};

/// (epsilon, delta)-DP is delta-approximate (alpha, alpha epsilon^2 / 2)-RDP, and never more than the Rényi divergence
/// of the randomized response of its decomposition.
[[nodiscard]] ApproximateRenyi approximate_renyi_of_dp(double epsilon, double delta, double alpha);
/// Epsilons and deltas add up at equal order. Precondition: the same alpha.
[[nodiscard]] ApproximateRenyi compose(const ApproximateRenyi& first, const ApproximateRenyi& second);
/// delta_hat = delta + exp((alpha - 1)(epsilon - epsilon_hat)) (1 - 1/alpha)^(alpha - 1) / alpha.
[[nodiscard]] double delta_from_approximate_renyi(const ApproximateRenyi& guarantee, double epsilon_hat);
/// The epsilon_hat that spends exactly `delta_hat`. Precondition: delta < delta_hat < 1.
[[nodiscard]] double epsilon_from_approximate_renyi(const ApproximateRenyi& guarantee, double delta_hat);
/// As printed in notes on the subject with the sign of (epsilon_hat - epsilon) reversed: grows with epsilon_hat, so it
/// is not a bound that means anything.
[[nodiscard]] double delta_from_approximate_renyi_as_printed(const ApproximateRenyi& guarantee, double epsilon_hat);

/// (rho, omega)-tCDP: D_alpha <= rho alpha for 1 < alpha < omega (Bun, Dwork, Rothblum, Steinke 2018, definition 1).
struct TruncatedConcentrated {
  double rho = 0;
  double omega = 0;
};

/// rho adds up, omega is the smaller (same source, lemma 2).
[[nodiscard]] TruncatedConcentrated compose(const TruncatedConcentrated& first, const TruncatedConcentrated& second);

/// The sinh-normal (arsinh) mechanism q(x) + A arsinh(N(0, sensitivity^2 / (2 rho)) / A) is
/// (16 rho, A / (8 sensitivity))-tCDP. Precondition: 1 < 1/sqrt(rho) <= A / sensitivity (same source, theorem 5).
[[nodiscard]] TruncatedConcentrated tcdp_arsinh(double rho, double a, double sensitivity);

/// A fixed-size sample, a share s of the data: (13 s^2 rho, log(1/s) / (4 rho))-tCDP. Precondition: rho and s in
/// (0, 0.1], log(1/s) >= 3 rho (2 + log2(1/rho)), omega >= log(1/s)/(2 rho) >= 3 (same source, theorem 11).
[[nodiscard]] TruncatedConcentrated tcdp_amplify_by_sampling(const TruncatedConcentrated& guarantee, double s);

/// The (rho, omega) of a composition: each step a tCDP guarantee, sinh-normal noise under the precondition above, or
/// what has a rho of zCDP (zcdp()), omega = +inf; on a sample of fixed size by the theorem above.
[[nodiscard]] TruncatedConcentrated tcdp(const Steps& steps);

/// epsilon = rho + 2 sqrt(rho log(1/delta)) while log(1/delta) <= (omega - 1)^2 rho, beyond it
/// rho omega + log(1/delta)/(omega - 1) (same source, lemma 6). Precondition: omega > 1, 0 < delta < 1.
[[nodiscard]] double epsilon_from_tcdp(const TruncatedConcentrated& guarantee, double delta);

}  // namespace pld::bounds
