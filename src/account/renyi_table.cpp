#include "account/renyi_table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "pairs/pair_divergence.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

constexpr double lowest_decade = -3, highest_decade = 5, per_decade = 12, tolerance = 1e-2;

/// t = order - 1 and at least t D.
struct Knot {
  double t = 0, cumulant = 0;
};

double divergence_upper(const Mechanism& mechanism, double order) {
  const double remove = renyi_of_pair(*mechanism.pair(Direction::remove), order, tolerance).upper;
  if (mechanism.symmetric() || remove == infinity) return remove;
  return std::max(remove, renyi_of_pair(*mechanism.pair(Direction::add), order, tolerance).upper);
}

std::vector<Knot> knots_of(const Mechanism& mechanism) {
  std::vector<Knot> knots;
  for (int i = 0; i <= (highest_decade - lowest_decade) * per_decade; ++i) {
    const double order = 1 + std::pow(10, lowest_decade + i / per_decade),
                 t = order - 1;  // the order is rounded, t is not
    const double cumulant = round_up(t * divergence_upper(mechanism, order));
    if (!(cumulant < infinity)) break;
    knots.push_back({t, cumulant});
  }
  return knots;
}

/// Below the first knot D is no more than there: it rises with the order.
double on_chords(const std::vector<Knot>& knots, double order) {
  const double t = order - 1;
  if (t <= knots.front().t) return round_up(knots.front().cumulant / knots.front().t);
  const auto next =
      std::lower_bound(knots.begin(), knots.end() - 1, t, [](const Knot& k, double at) { return k.t < at; });
  const Knot &a = *(next - 1), &b = *next;
  const double share = (t - a.t) / (b.t - a.t);
  return round_up(((1 - share) * a.cumulant + share * b.cumulant) / t, 16);
}

}  // namespace

std::optional<RenyiCurve> renyi_table(const Release& release) {
  const auto law = release.mechanism.pair(Direction::remove)->sampled_gaussian();
  if (law && law->q == 1)
    return RenyiCurve{.at = [mu = law->mu](double order) { return round_up(order * (mu * mu / 2), 8); }};
  std::vector<Knot> knots = knots_of(release.mechanism);
  if (knots.empty()) return std::nullopt;
  const double highest = 1 + knots.back().t * (1 - 1e-12);  // no rounding of an order leaves the last chord
  return RenyiCurve{.at = [knots = std::move(knots)](double order) { return on_chords(knots, order); },
                    .highest_order = highest};
}

}  // namespace pld
