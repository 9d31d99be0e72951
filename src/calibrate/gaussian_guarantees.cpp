#include "calibrate/gaussian_guarantees.hpp"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>
#include <optional>

#include "account/far_gaussian.hpp"
#include "account/steps.hpp"
#include "core/intersection.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "pld/readout/divergence.hpp"
#include "readout/rho_sum.hpp"

namespace pld {

namespace {

double mu_of_pure_dp(double epsilon) {
  const double half = epsilon < 1 ? boost::math::erf_inv(std::tanh(epsilon / 2))
                                  : boost::math::erfc_inv(2 / (1 + std::exp(std::min(epsilon, 700.0))));
  return 2 * std::numbers::sqrt2 * half;
}

/// What one release has of mu^2 at most. The square of the smallest mu is 0.
struct SquaredMu {
  double most = 0;
  bool loses = false;
};

std::optional<SquaredMu> squared_mu(const Mechanism& mechanism, const Neighbours& neighbours) {
  if (const auto law = mechanism.pair(Direction::remove)->sampled_gaussian()) {
    const double squared = law->q > 0 ? law->mu * law->mu : 0;
    return SquaredMu{squared, law->q > 0 && law->mu > 0};
  }
  const double loss = max_divergence(Composition(neighbours).add(mechanism)).upper;
  if (loss == infinity) return std::nullopt;
  const double mu = mu_of_pure_dp(loss);
  return SquaredMu{mu * mu, loss > 0};
}

/// That of the releases of all data which a record is in. Of groups, whose records may be in one release, Gaussian
/// noise alone.
std::optional<SquaredMu> squared_mu_on_all_data(const Mechanism& mechanism, const Neighbours& neighbours) {
  const auto all = on_all_data(mechanism, neighbours);
  if (!all || (neighbours.group > 1 && !all->base.pair(Direction::remove)->sampled_gaussian())) return std::nullopt;
  const auto one = squared_mu(all->base, neighbours);
  if (!one) return std::nullopt;
  return SquaredMu{all->each * one->most, one->loses};
}

}  // namespace

Bracket gaussian_dp_mu(const Composition& composition) {
  double most = 0;
  bool loses = false;
  for (const Release& release : composition.releases()) {
    const Mechanism& mechanism = release.mechanism;
    auto squared = squared_mu(mechanism, composition.neighbours());
    if (!squared) squared = squared_mu_on_all_data(mechanism, composition.neighbours());
    if (!squared)
      throw DomainError("mu", "mechanism", mechanism.text(), "a Gaussian, sampled or not, or one with bounded losses");
    loses = loses || squared->loses;
    most += static_cast<double>(release.count) * squared->most;
  }
  if (!loses) return {0, 0, 0};
  // Of Gaussian noise that is not sampled rho is mu^2 / 2, of the numbers as they are given.
  if (const auto mu = mu_of_gaussians(composition)) return *mu;
  const bool is_sum = is_linear(composition);
  const double roundings = 64 + 4 * static_cast<double>(composition.releases().size());
  const double upper =
      is_sum ? mu_of_rho(linear_rho(composition)).upper : round_up(std::sqrt(round_up(most, roundings)));
  const double lower = std::max(0.0, round_down(std::sqrt(squared_mu_far_out(composition))));
  return intersection({lower, std::sqrt(most), infinity}, at_most(upper));
}

}  // namespace pld
