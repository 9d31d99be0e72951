#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lattice/convolve.hpp"
#include "lattice/discretise.hpp"
#include "lattice/kept_cuts.hpp"

namespace pld {

/// How fine a lattice composition is to be, and how much work it may be.
struct LatticeBudget {
  double log_width = 1e-3;  ///< wanted distance of the two bounds in log delta, by discretisation alone
  Precision precision = Precision::standard;
  std::size_t longest_transform = 3 << 18;  ///< bounds memory, some 100 bytes an entry
  double points = 3e7;                      ///< that may still be taken, by releases, transforms and regridding
  bool at_limit = false;                    ///< set where the longest transform did not allow the width
};

/// What a point of a transform in long double costs, in those of one in double.
constexpr double extended_cost = 4;

struct CountedRelease {
  const CutPair* release = nullptr;
  std::int64_t count = 1;
};

/// How atoms that miss a lattice are placed from below: by what is likely to lose less near the epsilon of the tilt
/// (lowered, or split and made up for by SplitExcess; blocks are lowered), or lowered, which is good about kinks too.
enum class Below { as_it_loses_less, lowered };

/// The composition of all releases, tilted, as one lattice measure that bounds it from `side`. Takes its points from
/// the budget, and leaves what it cut in `cuts`.
///
/// The two sides differ by about log_width in log delta: with spacing h and n releases connecting the dots raises the
/// variance by n h^2/6, lowering the chords takes about n h^2/12 (splits from below: split_loss), and a variance v more
/// is worth tilt (1 + tilt) v / 2. Where that asks for a transform too long, blocks of equal releases are composed on a
/// finer lattice of their own and regridded once. The cost then grows with the logarithm of the counts.
[[nodiscard]] LatticeMeasure compose_on_lattice(const std::vector<CountedRelease>& releases, double tilt, Side side,
                                                KeptCuts& cuts, LatticeBudget& budget,
                                                Below below = Below::as_it_loses_less);

}  // namespace pld
