#include "account/far_gaussian.hpp"

#include <algorithm>

#include "account/steps.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// That of the Gaussian noise of a law which one pair of neighbours attains in every release.
double squared_mu_attained(const Mechanism& mechanism) {
  const auto law = mechanism.pair(Direction::remove)->sampled_gaussian();
  const bool is_attained = mechanism.law().kind.attained == Attainment::together;
  return law && is_attained && law->q > 0 ? law->mu * law->mu : 0;
}

double squared_mu_far_out(const Mechanism& mechanism, const Neighbours& neighbours) {
  if (const double attained = squared_mu_attained(mechanism); attained > 0) return attained;
  if (neighbours.relation == Relation::replace_one) return 0;  // Q has records too
  const auto all = on_all_data(mechanism, neighbours);
  return all && all->may_have_any ? all->each * squared_mu_attained(all->base) : 0;
}

}  // namespace

double squared_mu_far_out(const Composition& composition) {
  double sum = 0;
  for (const Release& release : composition.releases())
    sum += static_cast<double>(release.count) * squared_mu_far_out(release.mechanism, composition.neighbours());
  const double roundings = 64 + 4 * static_cast<double>(composition.releases().size());
  return std::max(0.0, round_down(sum, roundings));
}

}  // namespace pld
