#include "pld/readout/loss_moments.hpp"

#include <cmath>
#include <vector>

#include "pld/core/rounding.hpp"
#include "pld/mechanisms/dominating_pair.hpp"

namespace pld {
namespace {

LossMoments moments_of(const DominatingPair& pair) {
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
  for (const Release& release : composition.releases()) {
    const DominatingPair& pair = *release.mechanism.pair(direction);
    if (pair.log_mass_at_plus_infinity() > -infinity) return std::nullopt;
    const LossMoments one = moments_of(pair);
    const auto count = static_cast<double>(release.count);
    sum.mean += count * one.mean;
    sum.variance += count * one.variance;
    sum.third += count * one.third;
  }
  return sum;
}

}  // namespace pld
