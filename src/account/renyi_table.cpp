#include "account/renyi_table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "account/renyi_chord.hpp"
#include "core/work.hpp"
#include "pairs/loss_grid.hpp"
#include "pairs/pair_divergence.hpp"
#include "pairs/remembered.hpp"
#include "pairs/sample_of.hpp"
#include "pld/core/rounding.hpp"
#include "sampling/spliced_pair.hpp"

namespace pld {
namespace {

constexpr double lowest_decade = -3, highest_decade = 5, per_decade = 12, tolerance = 1e-2;

/// Where a knot's cumulant is larger, its order serves no delta of a double: the best order has some log(1/delta).
constexpr double last_cumulant = 1e5;

/// Of more atoms a table takes seconds.
constexpr std::size_t most_atoms = 4000;

std::vector<RenyiKnot> knots_of(const Mechanism& mechanism) {
  Work::note(points_of_renyi_table);
  std::vector<RenyiKnot> knots;
  PairDivergence remove(*mechanism.pair(Direction::remove)), add(*mechanism.pair(Direction::add));
  for (int i = 0; i <= (highest_decade - lowest_decade) * per_decade; ++i) {
    const double order = 1 + std::pow(10, lowest_decade + i / per_decade),
                 t = order - 1;  // the order is rounded, t is not
    double divergence = remove.renyi(order, tolerance).upper;
    if (!mechanism.symmetric() && divergence < infinity)
      divergence = std::max(divergence, add.renyi(order, tolerance).upper);
    const double cumulant = round_up(t * divergence);
    if (!(cumulant < infinity)) break;
    knots.push_back({t, cumulant});
    if (cumulant > last_cumulant) break;
  }
  return knots;
}

/// Asks the base of a sample, by its pair, which other doors have without the mechanism: sampling squeezes far more
/// atoms into the same range of losses.
bool takes_long(const DominatingPair& pair) {
  if (const auto* sample = dynamic_cast<const SampleOf*>(&pair)) return takes_long(*sample->base());
  if (const auto* sample = dynamic_cast<const SplicedPair*>(&pair)) return takes_long(*sample->unsampled());
  return !pair.has_density() && LossGrid(pair).atoms().size() > most_atoms;
}

RenyiCurve line(double slope) {
  return {.at = [slope](double order) { return round_up(order * slope, 8); }};
}

/// Below the first knot D is no more than there: it rises with the order.
double on_chords(const std::vector<RenyiKnot>& knots, double order) {
  const double t = order - 1;
  if (t <= knots.front().t) return round_up(knots.front().cumulant / knots.front().t);
  const auto next =
      std::lower_bound(knots.begin(), knots.end() - 1, t, [](const RenyiKnot& k, double at) { return k.t < at; });
  return on_chord(*(next - 1), *next, t);
}

std::optional<RenyiCurve> table_of(const Mechanism& mechanism) {
  const PairPtr &remove = mechanism.pair(Direction::remove), &add = mechanism.pair(Direction::add);
  const auto law = remove->sampled_gaussian();
  if (law && law->q == 1) return line(law->mu * law->mu / 2);
  if (takes_long(*remove)) {
    const double slope = std::max(remove->renyi_slope(), add->renyi_slope());
    return slope < infinity ? std::optional(line(slope)) : std::nullopt;
  }
  std::vector<RenyiKnot> knots = knots_of(mechanism);
  if (knots.empty()) return std::nullopt;
  const double highest = 1 + knots.back().t * (1 - 1e-12);  // no rounding of an order leaves the last chord
  return RenyiCurve{.at = [knots = std::move(knots)](double order) { return on_chords(knots, order); },
                    .highest_order = highest};
}

}  // namespace

std::optional<RenyiCurve> renyi_table(const Release& release) {
  static Remembered<std::optional<RenyiCurve>> remembered;
  const Mechanism& mechanism = release.mechanism;
  return remembered.of({{mechanism.pair(Direction::remove), 1}, {mechanism.pair(Direction::add), 1}},
                       [&] { return table_of(mechanism); });
}

}  // namespace pld
