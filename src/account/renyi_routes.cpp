#include "account/renyi_routes.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "account/renyi_table.hpp"
#include "core/work.hpp"
#include "pairs/renyi_pair.hpp"
#include "pld/core/rounding.hpp"

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
    constexpr double points_a_part = 5;
    Work::note(points_a_part * static_cast<double>(parts.size()));
    double sum = 0;
    for (const Part& part : parts) sum += part.count * part.curve.at(order);
    return round_up(sum, 4 + static_cast<double>(parts.size()));
  };
  return {.at = at, .highest_order = highest};
}

/// How many of the laws have divergences that are worked out order by order: of a Gaussian that is not sampled they are
/// a line.
std::ptrdiff_t tables_for(const Composition& composition) {
  return std::count_if(composition.releases().begin(), composition.releases().end(), [](const Release& release) {
    const auto law = release.mechanism.pair(Direction::remove)->sampled_gaussian();
    return !(law && law->q == 1);
  });
}

/// How many of the pairs are made of the divergences that a guarantee bounds.
std::ptrdiff_t guarantees_of_curves(const Composition& composition) {
  return std::count_if(composition.releases().begin(), composition.releases().end(), [](const Release& release) {
    return release.mechanism.law().kind.only_guaranteed && release.mechanism.pair(Direction::remove)->renyi_curve();
  });
}

/// More tables take longer than all else that is asked, and add up to less than the laws composed know.
bool are_worth_their_work(std::ptrdiff_t tables) {
  constexpr std::ptrdiff_t most = 16;
  constexpr double share = 0.6;
  return tables <= most && static_cast<double>(tables) * points_of_renyi_table <= share * Work::left();
}

}  // namespace

Composition AddedFirst::joined() const {
  static Remembered<PairPtr> remembered;
  const PairPtr pair = remembered.of(pairs, [&] { return pair_of_renyi_curve(sum); });
  const Law law{text, pair, pair, {.attained = Attainment::nowhere, .guarantee = true}};
  return Composition(rest).add(Mechanism::of_law(text, law));
}

std::optional<AddedFirst> renyi_first(const Composition& composition, const OrdinaryCurve& ordinary) {
  std::vector<Part> parts;
  AddedFirst found;
  found.rest = Composition(composition.neighbours());
  bool own_curve = false;
  for (const Release& release : composition.releases()) {
    const RenyiCurve* own = release.mechanism.pair(Direction::remove)->renyi_curve();
    const std::optional<RenyiCurve> curve = own ? *own : ordinary(release);
    if (!curve) {
      found.rest.add(release.mechanism, release.count);
      continue;
    }
    own_curve = own_curve || own;
    parts.push_back({*curve, static_cast<double>(release.count)});
    found.added += parts.back().count;
    for (const Direction direction : {Direction::remove, Direction::add})
      found.pairs.emplace_back(release.mechanism.pair(direction), release.count);
    found.text += ", " + std::to_string(release.count) + " of " + release.mechanism.text();
  }
  if (!own_curve) return std::nullopt;
  found.sum = parts.size() == 1 && found.added == 1 ? std::move(parts.front().curve) : sum_of(std::move(parts));
  return found;
}

RenyiRoutes renyi_routes(const Composition& composition) {
  // Each takes some hundredths of a second to make, and the sum of many loses little.
  constexpr std::ptrdiff_t most_made = 16;
  const bool many = guarantees_of_curves(composition) > most_made;
  RenyiRoutes routes;
  if (!many) routes.as_it_stands = composition;
  const auto add = [&](const AddedFirst& found) {
    if (found.rest.releases().empty()) routes.total = found.sum;
    if (many || (!routes.total && found.added > 1)) routes.joined.push_back(found.joined());
  };
  const auto own = renyi_first(composition, [](const Release&) { return std::nullopt; });
  if (!own) return routes;
  add(*own);
  if (!own->rest.releases().empty() && are_worth_their_work(tables_for(own->rest)))
    if (const auto all = renyi_first(composition, renyi_table); all->added > own->added) add(*all);
  return routes;
}

}  // namespace pld
