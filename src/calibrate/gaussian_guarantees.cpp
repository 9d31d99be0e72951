#include "calibrate/gaussian_guarantees.hpp"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "engines/question.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "readout/rho_sum.hpp"

namespace pld {

namespace {

/// The largest finite |loss| in either direction. Throws DomainError where losses have no bound.
double largest_loss(const Mechanism& mechanism) {
  const Question question;
  double largest = 0;
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const DominatingPair& pair = *mechanism.pair(direction);
    const LossRange range = pair.range();
    const bool bounded = range.highest < infinity && range.lowest > -infinity &&
                         pair.log_mass_at_plus_infinity() == -infinity &&
                         pair.log_q_mass_at_minus_infinity() == -infinity;
    if (!bounded) {
      throw DomainError("mu", "mechanism", mechanism.text(), "a Gaussian, sampled or not, or one with bounded losses");
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

/// The root of 2 rho, itself where that is a double.
Bracket mu_of_rho(const DoublesAround& rho) {
  const auto excess = [](double root, double square) { return std::fma(root, root, -square); };
  const double below = std::sqrt(2 * rho.below), above = std::sqrt(2 * rho.above);
  const double lower = excess(below, 2 * rho.below) > 0 ? std::nextafter(below, 0) : below;
  const double upper = excess(above, 2 * rho.above) < 0 ? std::nextafter(above, infinity) : above;
  return {lower, lower, upper};
}

}  // namespace

Bracket gaussian_dp_mu(const Composition& composition) {
  double gaussian = 0, all = 0;  // sums of count times mu^2: exact for Gaussians, an upper bound for others
  bool loses = false;            // as the smallest mu does, whose square is 0
  for (const Release& release : composition.releases()) {
    const auto count = static_cast<double>(release.count);
    const auto law = release.mechanism.pair(Direction::remove)->sampled_gaussian();
    const double loss = law ? (law->q > 0 ? law->mu : 0.0) : largest_loss(release.mechanism);
    const double mu = law ? loss : mu_of_pure_dp(loss);
    loses = loses || loss > 0;
    if (law && release.mechanism.law().kind.attained == Attainment::together) gaussian += count * mu * mu;
    all += count * mu * mu;
  }
  if (!loses) return {0, 0, 0};
  // Of Gaussian noise that is not sampled rho is mu^2 / 2, of the numbers as they are given.
  if (is_linear(composition)) return mu_of_rho(linear_rho(composition));
  const double roundings = 64 + 4 * static_cast<double>(composition.releases().size());
  return {std::max(0.0, round_down(std::sqrt(std::max(0.0, round_down(gaussian, roundings))))), std::sqrt(all),
          round_up(std::sqrt(round_up(all, roundings)))};
}

}  // namespace pld
