#include "readout/gaussian_mu.hpp"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <numbers>

#include "engines/closed_form/closed_form.hpp"
#include "pld/core/rounding.hpp"
#include "pld/mechanisms/gaussian.hpp"

namespace pld {
namespace {

/// Where to begin: about the least mu with that delta at epsilon, by the tail's exponent.
double rough_log_mu(double epsilon, const DeltaLogs& delta) {
  const double nats = 1 - delta.log_delta;
  const double of_losses =
      2 * (epsilon / (std::sqrt(2 * nats + 2 * epsilon) + std::sqrt(2 * nats)));  // of mu^2 / 2 + mu sqrt(2 nats)
  return std::clamp(std::max(std::log(of_losses), delta.log_delta), std::log(least_mu), std::log(most_mu));
}

}  // namespace

ProfileBracket gaussian_profile(double mu, double epsilon) {
  return closed_form_profile({{dominating_pair(Gaussian{.sigma = 1, .sensitivity = mu}, Direction::remove), 1}},
                             epsilon);
}

double mu_of(double epsilon, const DeltaLogs& delta) {
  if (delta.log_delta == -infinity) return 0;
  if (delta.log_complement == -infinity) return infinity;
  const auto excess = [&](double log_mu) {
    return DeltaLogs::estimate(gaussian_profile(std::exp(log_mu), epsilon)).above(delta);
  };
  double low = rough_log_mu(epsilon, delta), high = low;
  for (double step = 0.5; excess(low) >= 0; step *= 2) {
    if (low <= std::log(least_mu)) return least_mu;
    high = low;
    low = std::max(low - step, std::log(least_mu));
  }
  for (double step = 0.5; excess(high) < 0; step *= 2) {
    if (high >= std::log(most_mu)) return infinity;
    low = high;
    high = std::min(high + step, std::log(most_mu));
  }
  boost::uintmax_t iterations = 100;
  constexpr int bits = 50;  // of a logarithm of up to 230
  const auto root =
      boost::math::tools::toms748_solve(excess, low, high, boost::math::tools::eps_tolerance<double>(bits), iterations);
  return std::exp(root.first + (root.second - root.first) / 2);
}

double certain_mu(double epsilon, const DeltaLogs& delta, int side) {
  if (delta.log_delta == -infinity) return 0;
  if (delta.log_complement == -infinity) return infinity;
  const double mu = mu_of(epsilon, delta);
  if (mu == infinity) return side > 0 ? infinity : 0;
  for (double step = 1e-13; step < 1; step *= 4) {
    const double moved = mu * (1 + side * step);
    if (moved < least_mu || moved > most_mu) break;
    const ProfileBracket there = gaussian_profile(moved, epsilon);
    if (side > 0 ? DeltaLogs::least(there).above(delta) >= 0 : DeltaLogs::most(there).above(delta) <= 0) return moved;
  }
  return side > 0 ? infinity : 0;
}

double mu_of_pure_dp(double epsilon) {
  constexpr double roundings = 8;
  const DeltaLogs at_zero{round_up(std::log(std::tanh(epsilon / 2)), roundings),
                          round_down(std::numbers::ln2 - epsilon - std::log1p(std::exp(-epsilon)), roundings)};
  // Phi(-t) <= e^(-t^2 / 2) / 2, which for t^2 = 2 epsilon is no more than the kink's 1 / (1 + e^epsilon).
  const double by_exponent = round_up(2 * std::numbers::sqrt2 * std::sqrt(epsilon), roundings);
  return std::min(certain_mu(0, at_zero, +1), by_exponent);
}

}  // namespace pld
