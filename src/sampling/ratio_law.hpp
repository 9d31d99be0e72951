#pragma once

#include <cstdint>
#include <vector>

#include "core/side.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// The sum of independent likelihood ratios R = dP/dQ under Q, as atoms (r, Q mass), and what bounds it from one side
/// in convex order (docs/random_allocation.md): for every convex f, E f is at least (upper) or at most (lower) that of
/// the sum it stands for, once each r is moved by up to `ratio_error` of itself. Masses are rounded to that side too.
struct RatioLaw {
  std::vector<double> ratios;       ///< >= 0, increasing
  std::vector<double> masses;       ///< Q's
  std::int64_t terms = 1;           ///< how many ratios are summed
  double log_infinite = -infinity;  ///< log of P's mass where Q has none, of one ratio
  double ratio_error = 0;
};

/// The ratio of a pair, kept at `nodes` nodes: costs grow with their square, and errors fall with it.
[[nodiscard]] RatioLaw ratio_law(const DominatingPair& pair, Side side, int nodes);

/// The sum of `times` independent copies, by doubling. times >= 1.
[[nodiscard]] RatioLaw sum_of_copies(const RatioLaw& one, std::int64_t times, Side side, int nodes);

}  // namespace pld
