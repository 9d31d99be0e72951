#pragma once

#include <memory>

#include "core/work.hpp"
#include "lattice/cumulant.hpp"
#include "lattice/lattice_measure.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// One release as the lattice engine sees it: its pair, the interval of losses kept, its outline, and a bound on what
/// lies between the cut's upper end and where the caller accounts for the rest: tilted mass over e^{cumulant}.
struct CutPair {
  PairPtr pair;
  LossRange cut;
  Cumulant cumulant;
  double cut_weight = 0;
};

/// Takes points off those left, lattice points handled by transforms or as much time; throws WorkSpent where there are
/// too few, or where a time limit has passed.
inline void spend(double points, double& left) {
  Work::stop_if_late();
  if (!(points <= left)) throw WorkSpent{};
  left -= points;
}

/// One release cut for the lattice of a spacing and tilted, of which both sides take the same cells.
class CutLaw {
 public:
  /// Takes its points from those left. The release outlives it.
  CutLaw(const CutPair& release, double spacing, double tilt, double& points_left);
  ~CutLaw();

  /// A measure whose profile bounds, from `side`, that of the release within its cut. Both bounds differ from it by
  /// O(spacing^2) where the law has a density or its atoms fit the spacing.
  [[nodiscard]] LatticeMeasure on_lattice(Side side) const;

  /// From below for a composition that is not moved to another lattice and is read near the epsilon of the tilt: atoms
  /// are split (split_measure). Domain: a law without a density.
  [[nodiscard]] LatticeMeasure split_on_lattice() const;

  /// All that is placed, tilted.
  [[nodiscard]] double weight() const;

 private:
  struct Weighed;
  std::unique_ptr<Weighed> weighed_;
};

/// The same measure on a coarser lattice, moved to `side`. Domain: one that was not split.
[[nodiscard]] LatticeMeasure regrid(const LatticeMeasure& measure, double spacing, Side side);

}  // namespace pld
