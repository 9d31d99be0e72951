#include "calibrate/gaussian_guarantees.hpp"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

namespace {

/// The largest finite |loss| in either direction. Throws DomainError where losses have no bound.
double largest_loss(const Mechanism& mechanism, const char* measure) {
  double largest = 0;
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const DominatingPair& pair = *mechanism.pair(direction);
    const LossRange range = pair.range();
    const bool bounded = range.highest < infinity && range.lowest > -infinity &&
                         pair.log_mass_at_plus_infinity() == -infinity &&
                         pair.log_q_mass_at_minus_infinity() == -infinity;
    if (!bounded) {
      throw DomainError("calibrate", measure, "unknown for " + mechanism.text(),
                        "that of Gaussians, sampled or not, and of mechanisms with bounded losses");
    }
    largest = std::max({largest, range.highest + pair.loss_error({range.highest, range.highest}),
                        pair.loss_error({range.lowest, range.lowest}) - range.lowest});
  }
  return largest;
}

double mu_of_pure_dp(double epsilon) {
  const double half = epsilon < 1 ? boost::math::erf_inv(std::tanh(epsilon / 2))
                                  : boost::math::erfc_inv(2 / (1 + std::exp(std::min(epsilon, 700.0))));
  return 2 * std::numbers::sqrt2 * half;
}

/// Sum over the releases of count times mu^2: exact for Gaussians, an upper bound of `square(largest loss)` for others.
template <class Square>
Bracket sum_of_squares(const Composition& composition, const char* measure, const Square& square) {
  double gaussian = 0, all = 0;
  for (const Release& release : composition.releases()) {
    const auto count = static_cast<double>(release.count);
    const auto law = release.mechanism.pair(Direction::remove)->sampled_gaussian();
    const double squared =
        law ? (law->q > 0 ? law->mu * law->mu : 0.0) : square(largest_loss(release.mechanism, measure));
    if (law && release.mechanism.law().kind.attained == Attainment::together) gaussian += count * squared;
    all += count * squared;
  }
  const double roundings = 64 + 4 * static_cast<double>(composition.releases().size());
  return {std::max(0.0, round_down(gaussian, roundings)), all, round_up(all, roundings)};
}

}  // namespace

Bracket gaussian_dp_mu(const Composition& composition) {
  const Bracket sum = sum_of_squares(composition, "mu", [](double loss) {
    const double mu = mu_of_pure_dp(loss);
    return mu * mu;
  });
  return {std::max(0.0, round_down(std::sqrt(sum.lower))), std::sqrt(sum.estimate), round_up(std::sqrt(sum.upper))};
}

Bracket zero_concentrated_rho(const Composition& composition) {
  const Bracket sum = sum_of_squares(composition, "rho", [](double loss) { return loss * loss; });
  return {sum.lower / 2, sum.estimate / 2, sum.upper / 2};
}

}  // namespace pld
