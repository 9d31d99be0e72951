#include "pld/compose/renyi_first.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "pld/mechanisms/renyi_curve.hpp"

namespace pld {
namespace {

struct Part {
  RenyiCurve curve;
  double count = 1;
};

RenyiCurve sum_of(std::vector<Part> parts) {
  double highest = infinity;
  for (const Part& part : parts) highest = std::min(highest, part.curve.highest_order);
  // Sums of non-negative terms, rounded up by as many units.
  const auto at = [parts = std::move(parts)](double order) {
    double sum = 0;
    for (const Part& part : parts) sum += part.count * part.curve.at(order);
    return round_up(sum, 4 + static_cast<double>(parts.size()));
  };
  return {at, highest};
}

}  // namespace

std::optional<Composition> renyi_first(const Composition& composition) {
  std::vector<Part> parts;
  std::string text = "sum of Renyi guarantees";
  double guarantees = 0;
  Composition joined(composition.relation());
  for (const Release& release : composition.releases()) {
    const RenyiCurve* curve = release.mechanism.pair(Direction::remove)->renyi_curve();
    if (!curve) {
      joined.add(release.mechanism, release.count);
      continue;
    }
    parts.push_back({*curve, static_cast<double>(release.count)});
    guarantees += parts.back().count;
    text += ", " + std::to_string(release.count) + " of " + release.mechanism.text();
  }
  if (guarantees < 2) return std::nullopt;
  const PairPtr pair = pair_of_renyi_curve(sum_of(std::move(parts)));
  const auto law = [text, pair](Relation) { return Law{text, pair, pair, {.attained = false, .guarantee = true}}; };
  joined.add(Mechanism(text, law));
  return joined;
}

}  // namespace pld
