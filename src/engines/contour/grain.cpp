#include "engines/contour/grain.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "numeric/log_sum.hpp"
#include "numeric/normal_tail.hpp"
#include "pairs/discrete_gaussian_pair.hpp"
#include "pairs/sample_of.hpp"
#include "pld/core/rounding.hpp"

namespace pld::contour {
namespace {
using std::numbers::pi;

/// Heights above the real line, as shares of pi / mu, where the ratio has its zeros.
constexpr double shares[] = {0.9, 0.7, 0.5, 0.3, 0.15, 0.05};

/// log of a bound on |sum - integral| over all outcomes: twice int |f(x - ia)| dx / (e^{2 pi a / grain} - 1) for any a
/// (Trefethen, Weideman 2014, theorem 5.1). With theta = mu a < pi, |r| lies between r cos(theta / 2) and r, its angle
/// between 0 and theta, and the normal density is e^{a^2 / 2} times as large.
double log_sum_error(const SampledRatio& ratio, double grain, double rho, double s) {
  double least = infinity;
  const auto look = [&](double a) {
    const double theta = ratio.mu * a, rate = 2 * pi * a / grain;
    const double turned = a * a / 2 + s * theta + std::min(0.0, rho) * std::log(std::cos(theta / 2));
    least = std::min(least, std::log(2.0) + turned - rate - std::log(-std::expm1(-rate)));
  };
  for (const double share : shares) look(share * pi / ratio.mu);
  // The best height where no zero is near.
  const double best = 2 * pi / grain - s * ratio.mu;
  if (best > 0 && best < shares[0] * pi / ratio.mu) look(best);
  return least + 1e-9;
}

/// log of a bound on the integral and the sum of phi r^rho outside the body: r^rho is at most (1 - q)^rho for rho < 0,
/// else 1 + q^min(1, rho) e^{rho y}, which moves the normal law by rho mu. The sum of a falling tail is at most the
/// integral from one grain before, of any at most twice the whole.
double log_outside(const SampledRatio& ratio, const Body& body, double grain, double rho) {
  const auto beyond = [&](double distance) {
    return distance > grain ? log_normal_tail(distance - grain) : std::log(2.0);
  };
  const auto both = [&](double centre) {
    return log_sum(beyond(centre - body.lowest()), beyond(body.highest() - centre)) + std::log(2.0);
  };
  if (rho < 0) return rho * std::log1p(-ratio.q) + both(0) + 1e-9;
  const double hit = std::min(1.0, rho) * std::log(ratio.q) + rho * (rho - 1) * ratio.mu * ratio.mu / 2;
  return log_sum(both(0), hit + both(rho * ratio.mu)) + 1e-9;
}

}  // namespace

std::optional<GrainedLaw> grained_law(const DominatingPair& pair) {
  constexpr double least_period = 300;
  const auto* sample = dynamic_cast<const SampleOf*>(&pair);
  const auto* noise = sample ? dynamic_cast<const DiscreteGaussianPair*>(sample->base().get()) : nullptr;
  if (!noise) return std::nullopt;
  const GrainedLaw grained{{.mu = noise->shift() / noise->sigma(), .q = sample->q(), .direction = sample->direction()},
                           1 / noise->sigma()};
  const bool fine = grain_period({grained.law.mu, grained.law.q}, grained.grain) >= least_period;
  return fine ? std::optional(grained) : std::nullopt;
}

double grain_period(const SampledRatio& ratio, double grain) { return 2 * pi / (grain * ratio.mu); }

double log_grain_error(const SampledRatio& ratio, const Body& body, double grain, double rho, double s,
                       double log_moment) {
  // The masses are divided by their sum, which is 1 to 4 e^{-2 (pi / grain)^2}.
  const double normalised = std::log(4.0) - 2 * (pi / grain) * (pi / grain);
  return log_sum(log_sum(log_sum_error(ratio, grain, rho, s), normalised),
                 log_outside(ratio, body, grain, rho) - log_moment);
}

}  // namespace pld::contour
