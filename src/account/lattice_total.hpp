#pragma once

#include <cstdint>
#include <vector>

#include "account/release_cells.hpp"
#include "lattice/lattice_measure.hpp"
#include "pairs/term.hpp"
#include "pld/account/total_grid.hpp"

namespace pld {

/// The grid for terms like these, with counts as they will be in the end, asked for the epsilon of a log delta. The
/// spacing h is such that the bounds of delta differ by about `tolerance`, relatively: each release is off by a
/// variance of h^2 / 4 on both sides together, and at the saddle point t a variance v more is worth t (1 + t) v / 2 in
/// log delta; next to the largest loss all shifts together need not be less than half the tolerance of epsilon. The
/// tilt is no larger than round-off asks for, since other epsilons than that one ask for other tilts.
[[nodiscard]] TotalGrid grid_for(const Terms& expected, double log_delta, double tolerance);

/// A composition from both sides, composed of `batches` batches.
struct TotalBlock {
  LatticeMeasure upper, lower;
  std::int64_t batches = 1;
};

/// A composition that grows: in one direction, as blocks yet to be convolved. Blocks of equal size are joined as soon
/// as there are two, so that a release takes part in a logarithm of convolutions; collapse() joins them all.
///
/// Every step moves the upper measures' profile up and the lower ones' down, or is bounded and kept in their error
/// fields; so totals may be joined in any order, and each order's bounds hold.
struct LatticeTotal {
  std::vector<TotalBlock> blocks;
  double log_finite = 0;  ///< log of the probability of a finite loss, to `roundings` units of round-off
  double log_finite_roundings = 0;
  double cut_mass = 0;  ///< at least the P mass of the large losses cut off: the upper profile lacks it

  /// Composes the releases, and joins them.
  void add(const std::vector<BoundedRelease>& releases, const TotalGrid& grid);
  /// Joins another total of the same grid.
  void add(const LatticeTotal& other);
  /// Joins all blocks into one, of which there must be any.
  const TotalBlock& collapse();
};

/// A total as often as it is repeated, of one block or none.
struct CountedTotal {
  const LatticeTotal* total = nullptr;
  std::int64_t count = 1;
};

/// All of them, of the same grid, in one block, or in none: by one transform each, whatever the counts, on a lattice so
/// coarse that they take about so many points. Throws WorkSpent where those are next to none.
[[nodiscard]] LatticeTotal composed(const std::vector<CountedTotal>& totals, double points);

}  // namespace pld
