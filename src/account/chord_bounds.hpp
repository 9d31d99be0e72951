#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <utility>

#include "core/work.hpp"
#include "pld/core/profile_bracket.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

// What upper bounds of a profile at two places say between these: it is convex in e^epsilon, of all neighbours too, so
// that it lies below their chord.

/// A place and what bounds the profile there: log_delta.upper and log_complement.lower.
struct BoundAt {
  double epsilon = 0;
  ProfileBracket bound{};
};

/// Between two finite epsilons; brackets of the chord, without width.
[[nodiscard]] ProfileBracket chord_at(const BoundAt& low, double epsilon, const BoundAt& high);

/// A delta and an epsilon that is enough for it, infinite where none is known.
struct EnoughFor {
  double delta = 0, epsilon = 0;
};

/// What is enough for a delta between that of `low`, the larger one, and of `high`.
[[nodiscard]] double chord_epsilon(const EnoughFor& low, double delta, const EnoughFor& high);

/// Bounds a convex function at `count` places in order. `solve(i)` finds a bound, at the last, the first, and halfway
/// between two that are known. `draw(low, i, high)` takes the chord of these where it is lower, and returns by how much
/// it was above, in units of what is worth while. Where that was most `solve` looks first, where it was less than 1
/// chords are all there is. Some more looks, after the work is gone, serve by what is known.
template <class Solve, class Draw>
void solve_halfway(std::size_t count, const Solve& solve, const Draw& draw) {
  if (count == 0) return;
  int spare = 100;
  solve(count - 1);
  if (count > 1) solve(0);
  using Interval = std::pair<std::size_t, std::size_t>;
  std::multimap<double, Interval, std::greater<>> open{{infinity, {0, count - 1}}};
  while (!open.empty()) {
    const auto [gained, interval] = *open.begin();
    const auto [low, high] = interval;
    open.erase(open.begin());
    const std::size_t middle = low + (high - low) / 2;
    if (middle == low) continue;
    if (gained < 1 || (!Work::affords_piece() && spare-- <= 0)) {
      for (std::size_t i = low + 1; i < high; ++i) draw(low, i, high);
      continue;
    }
    solve(middle);
    const double here = draw(low, middle, high);
    open.insert({{here, {low, middle}}, {here, {middle, high}}});
  }
}

}  // namespace pld
