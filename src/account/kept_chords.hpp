#pragma once

#include "pairs/renyi_curve.hpp"

namespace pld {

/// A curve of which each value takes long, by chords of (order - 1) D between orders at which it is known: that is
/// convex for every pair of neighbours, so that chords bound it too, by some 1e-7 of D above, or 1e-4 where it is a sum
/// of a hundred thousand parts (`parts`). Safe to ask from several threads.
[[nodiscard]] RenyiCurve on_kept_chords(const RenyiCurve& curve, double parts);

}  // namespace pld
