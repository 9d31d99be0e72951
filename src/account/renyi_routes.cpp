#include "account/renyi_routes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "account/kept_chords.hpp"
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
  constexpr double few = 64;  // of which each sum is quick
  const auto number = static_cast<double>(parts.size());
  // Sums of non-negative terms, rounded up by as many units.
  const auto at = [parts = std::move(parts)](double order) {
    constexpr double points_a_part = 5;
    Work::note(points_a_part * static_cast<double>(parts.size()));
    double sum = 0;
    for (const Part& part : parts) sum += part.count * part.curve.at(order);
    return round_up(sum, 4 + static_cast<double>(parts.size()));
  };
  const RenyiCurve sum{.at = at, .highest_order = highest};
  return number > few ? on_kept_chords(sum, number) : sum;
}

/// How many of the laws have divergences that are worked out order by order: of a Gaussian that is not sampled they are
/// a line.
std::ptrdiff_t tables_for(const Composition& composition) {
  return std::count_if(composition.releases().begin(), composition.releases().end(), [](const Release& release) {
    const auto law = release.mechanism.pair(Direction::remove)->sampled_gaussian();
    return !(law && law->q == 1);
  });
}

/// Whether the pair is made of the divergences that a guarantee bounds.
bool is_guarantee_of_curve(const Release& release) {
  return release.mechanism.law().kind.only_guaranteed && release.mechanism.pair(Direction::remove)->renyi_curve();
}

std::optional<RenyiCurve> no_other_curve(const Release&) { return std::nullopt; }

/// More tables take longer than all else that is asked, and add up to less than the laws composed know.
bool are_worth_their_work(std::ptrdiff_t tables) {
  constexpr std::ptrdiff_t most = 16;
  constexpr double share = 0.6;
  return tables <= most && static_cast<double>(tables) * points_of_renyi_table <= share * Work::left();
}

}  // namespace

std::optional<Composition> with_few_guarantees(const Composition& composition) {
  constexpr std::ptrdiff_t few = 16;
  const auto& releases = composition.releases();
  if (std::count_if(releases.begin(), releases.end(), is_guarantee_of_curve) <= few) return std::nullopt;
  Composition out(composition.neighbours());
  std::map<double, Composition> alike;  // by the octave of the highest order less 1
  for (const Release& release : releases) {
    Composition* into = &out;
    if (is_guarantee_of_curve(release)) {
      const double highest = release.mechanism.pair(Direction::remove)->renyi_curve()->highest_order;
      into = &alike.try_emplace(std::floor(std::log2(highest - 1)), Composition(out.neighbours())).first->second;
    }
    into->add(release.mechanism, release.count);
  }
  for (const auto& [octave, guarantees] : alike) {
    const bool single = guarantees.releases().size() == 1;
    const Composition one = single ? guarantees : renyi_first(guarantees, no_other_curve)->joined();
    out.add(one.releases().front().mechanism, one.releases().front().count);
  }
  return out;
}

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
  RenyiRoutes routes{.fewer = with_few_guarantees(composition)};
  const auto add = [&](const AddedFirst& found) {
    if (found.rest.releases().empty())
      routes.total = found.sum;
    else if (found.added > 1)
      routes.joined.push_back(found.joined());
  };
  const auto own = renyi_first(composition, no_other_curve);
  if (!own) return routes;
  add(*own);
  if (!own->rest.releases().empty() && are_worth_their_work(tables_for(own->rest)))
    if (const auto all = renyi_first(composition, renyi_table); all->added > own->added) add(*all);
  return routes;
}

}  // namespace pld
