#pragma once

#include "pld/account/composition.hpp"
#include "pld/core/direction.hpp"

namespace pld {

/// The square of the mu of Gaussian noise that some neighbours lose far out, at least: no smaller mu of Gaussian DP
/// holds for the composition, and D_a(P || Q) / a comes to half of it as a grows, P having the records that Q lacks.
///
/// A release that draws each record by itself has P >= p P', where P' is that of all data and p > 0 the chance that
/// every record of the group is drawn, and the same Q. Then delta(e) >= p delta'(e - log p), and (a - 1) D_a(P || Q) >=
/// (a - 1) D_a(P' || Q) + a log p.
[[nodiscard]] double squared_mu_far_out(const Composition& composition);

/// Whether that tells of losses without end: no epsilon has a delta of 0.
[[nodiscard]] inline bool loses_without_end(const Composition& composition, DirectionChoice direction) {
  return direction != DirectionChoice::add && squared_mu_far_out(composition) > 0;
}

}  // namespace pld
