#include "account/largest_of_neighbours.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "account/all_neighbours.hpp"
#include "account/directed_run.hpp"
#include "account/far_gaussian.hpp"
#include "account/finer_laws.hpp"
#include "account/larger_of.hpp"
#include "account/steps.hpp"
#include "core/work.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

Bracket largest_in(const Composition& composition, Direction direction) {
  if (loses_infinitely(composition, direction)) return {infinity, infinity, infinity};
  const DirectedRun run = run_in(composition, direction);
  return run.terms.empty() ? Bracket{0, 0, 0} : run.largest_loss;
}

Bracket largest_of_pairs(const Composition& composition, DirectionChoice choice) {
  Bracket worst{-infinity, -infinity, -infinity};
  for (const Direction direction : directions(composition, choice))
    worst = larger(worst, largest_in(composition, direction));
  return worst;
}

/// The largest loss along a way is at most the sum of its steps'.
double largest_along(const Way& way, DirectionChoice direction) {
  const std::vector<DirectionChoice> steps = way.directions(direction);
  std::map<DirectionChoice, double> largest;
  double sum = 0;
  for (const DirectionChoice step : steps) {
    if (!largest.contains(step)) largest[step] = largest_of_neighbours(way.step, step).upper;
    sum += largest[step];
  }
  return steps.size() == 1 ? sum : round_up(sum, static_cast<double>(steps.size()));
}

}  // namespace

Bracket largest_of_neighbours(const Composition& composition, DirectionChoice choice) {
  if (loses_without_end(composition, choice)) return {infinity, infinity, infinity};
  Bracket largest =
      rising_over_neighbours(composition, [&](const Composition& c) { return largest_of_pairs(c, choice); });
  if (composition.is_one_law()) return largest;
  for (const Way& way : all_ways_of(composition))
    if (const double along = largest_along(way, choice); along < largest.upper)
      largest = {std::min(largest.lower, along), along, along};
  return largest;
}

double largest_beside_nodes(const Composition& composition, DirectionChoice choice) {
  if (composition.is_exact() || !has_finer_laws(composition)) return infinity;
  return if_affordable([&] { return largest_of_neighbours(composition, choice).upper; }, infinity);
}

}  // namespace pld
