#pragma once

namespace pld {

/// What all parts of a running composition have in common. Any choice keeps the bounds true; grid_for() fits it to a
/// composition that is expected.
struct TotalGrid {
  double tilt = 2;              ///< of every measure, > 0
  double spacing = 3e-5;        ///< of a release's lattice, > 0; totals that grow too wide for it take a multiple
  double log_cut = -45;         ///< log of the P mass of large losses that may be cut off a release
  double log_negligible = -60;  ///< log of the tilted mass of small losses that may be cut off a release

  friend bool operator==(const TotalGrid&, const TotalGrid&) = default;
};

}  // namespace pld
