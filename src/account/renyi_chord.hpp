#pragma once

#include "pld/core/rounding.hpp"

namespace pld {

/// A bound of a Renyi divergence D: t = order - 1, and at least t D.
struct RenyiKnot {
  double t = 0, cumulant = 0;
};

/// A bound of D at a t between those of two knots: t D is convex for every pair of neighbours, and so is at most its
/// chord.
[[nodiscard]] inline double on_chord(const RenyiKnot& a, const RenyiKnot& b, double t) {
  const double share = (t - a.t) / (b.t - a.t);
  return round_up(((1 - share) * a.cumulant + share * b.cumulant) / t, 16);
}

}  // namespace pld
