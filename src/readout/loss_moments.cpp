#include "pld/readout/loss_moments.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include "directed_run.hpp"
#include "pld/compose/closed_form.hpp"
#include "pld/core/rounding.hpp"
#include "pld/mechanisms/dominating_pair.hpp"

namespace pld {
namespace {

LossMoments moments_of(const DominatingPair& pair) {
  // The loss of a Gaussian is N(mu^2/2, mu^2) itself.
  if (const auto law = pair.sampled_gaussian(); law && law->q == 1)
    return {law->mu * law->mu / 2, law->mu * law->mu, 2 * std::sqrt(2 / std::numbers::pi) * law->mu * law->mu * law->mu};
  const std::vector<LossCell> cells = pair.outline();
  double mass = 0, mean = 0;
  for (const LossCell& cell : cells) {
    const double p = std::exp(cell.log_mass);
    mass += p;
    mean += p * cell.loss;
  }
  mean /= mass;
  LossMoments out{mean, 0, 0};
  for (const LossCell& cell : cells) {
    const double p = std::exp(cell.log_mass) / mass, away = std::fabs(cell.loss - mean);
    out.variance += p * away * away;
    out.third += p * away * away * away;
  }
  return out;
}

}  // namespace

double LossMoments::limit_mu() const { return variance > 0 ? 2 * mean / std::sqrt(variance) : 0; }

double LossMoments::berry_esseen_error() const { return variance > 0 ? 0.56 * third / std::pow(variance, 1.5) : 0; }

std::optional<LossMoments> loss_moments(const Composition& composition, Direction direction) {
  LossMoments sum;
  const Terms terms = run_in(composition, direction).terms;
  for (const Term& term : terms) {
    const DominatingPair& pair = *term.pair;
    if (pair.log_mass_at_plus_infinity() > -infinity) return std::nullopt;
    const LossMoments one = moments_of(pair);
    const auto count = static_cast<double>(term.count);
    sum.mean += count * one.mean;
    sum.variance += count * one.variance;
    sum.third += count * one.third;
  }
  // Unsampled Gaussians are joined into one: a sum of nothing else is normal.
  if (terms.size() == 1 && closed_form_takes(terms) && terms.front().pair->sampled_gaussian().value_or(SampledGaussianLaw{.q = 0}).q == 1)
    sum.third = 0;
  return sum;
}

}  // namespace pld
