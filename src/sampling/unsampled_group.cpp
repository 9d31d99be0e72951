#include "sampling/unsampled_group.hpp"

#include <cmath>
#include <memory>

#include "pairs/gaussian_pair.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

Law law_of_group(const Law& one, const PairPtr& pair, int group) {
  Law law{one.text + " in groups of " + std::to_string(group), pair, pair, one.kind};
  law.kind.attained = Attainment::nowhere;
  law.below = attained_law(one);  // a group may be of one record
  if (one.at_nodes)
    law.at_nodes = [one, pair, group](const Nodes& nodes) { return law_of_group(one.at_nodes(nodes), pair, group); };
  return law;
}

}  // namespace

std::optional<Law> law_of_unsampled_group(const DrawnReleases& drawn, const Neighbours& neighbours) {
  const PairPtr whole = drawn.base.under(neighbours).law().remove;
  const auto gaussian = whole->sampled_gaussian();
  if (!gaussian || gaussian->q != 1) return std::nullopt;
  const PairPtr pair =
      drawn.each == 1 ? whole : std::make_shared<GaussianPair>(round_up(gaussian->mu * std::sqrt(drawn.each), 2));
  return law_of_group(drawn.laws(neighbours.relation), pair, neighbours.group);
}

}  // namespace pld
