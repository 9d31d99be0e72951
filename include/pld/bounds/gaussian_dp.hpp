#pragma once

#include "pld/bounds/step.hpp"

namespace pld::bounds {

/// Natural logarithm of delta(epsilon) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu), the exact privacy
/// profile of a mu-GDP mechanism. Domain: mu > 0, any finite epsilon. Error of the logarithm, with u = 2^-53 and x =
/// epsilon/mu - mu/2: 2e-13 + 4 u (|log delta| + (|epsilon|/mu + mu) (1 + |x|)), the last of which is what roundings of
/// the arguments move it by. Throws DomainError for mu <= 0. Source: Balle and Wang 2018, theorem 8; Dong, Roth, Su
/// 2022, corollary 2.13.
[[nodiscard]] double gdp_log_delta(double mu, double epsilon);

/// exp of the above; 0 where it underflows.
[[nodiscard]] double gdp_delta(double mu, double epsilon);

/// Smallest epsilon with delta(epsilon) <= delta: certainly no less, and at most 1e-12 (|epsilon| + mu) + 16 u mu^2
/// more, of which the last is what a rounding of mu moves it by. Negative where delta exceeds the total variation.
/// Domain: mu > 0, 0 < delta < 1.
[[nodiscard]] double gdp_epsilon(double mu, double delta);

/// Type II error at type I error alpha: Phi(Phi^{-1}(1 - alpha) - mu). Domain: alpha in [0, 1], mu >= 0.
[[nodiscard]] double gdp_trade_off(double mu, double alpha);

/// mu of a composition: the root of the sum of squares (Dong, Roth, Su 2022, corollary 3.3).
/// Precondition: every step an unsampled Gaussian.
[[nodiscard]] double gdp_mu(const Steps& steps);

/// Classical Gaussian mechanism: sigma = sensitivity sqrt(2 log(1.25/delta)) / epsilon is (epsilon, delta)-DP.
/// Precondition: 0 < epsilon < 1 (Dwork and Roth 2014, theorem A.1). The theorem does not cover larger ones: at delta
/// 1e-5 the noise is still enough up to epsilon = 8.4, and too little above.
[[nodiscard]] double classical_gaussian_sigma(double epsilon, double delta, double sensitivity);

/// The epsilon at which `sigma` meets the formula above. Precondition: it is < 1.
[[nodiscard]] double classical_gaussian_epsilon(double sigma, double delta, double sensitivity);

/// The same as Liu and Wang print it, equation (8): sigma^2 = 2 log(1.25/delta) sensitivity^2 / epsilon, with epsilon
/// not squared. Unsound wherever this epsilon is < 1: it promises less noise than is needed.
[[nodiscard]] double classical_gaussian_epsilon_as_printed(double sigma, double delta, double sensitivity);

/// Analytic Gaussian mechanism: smallest sigma that is (epsilon, delta)-DP, from above to 1e-12 relative.
/// Domain: epsilon >= 0, 0 < delta < 1, sensitivity > 0. Source: Balle and Wang 2018, theorem 8.
[[nodiscard]] double analytic_gaussian_sigma(double epsilon, double delta, double sensitivity);

}  // namespace pld::bounds
