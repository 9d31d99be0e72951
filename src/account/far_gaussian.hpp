#pragma once

#include "pld/account/composition.hpp"

namespace pld {

/// The square of the mu of Gaussian noise that some neighbours lose far out, at least: no smaller mu of Gaussian DP
/// holds for the composition, and D_a(P || Q) / a comes to half of it as a grows, P having the records that Q lacks.
///
/// A release that draws each record by itself has P >= p P', where P' is that of all data and p > 0 the chance that
/// every record of the group is drawn, and the same Q. Then delta(e) >= p delta'(e - log p), and (a - 1) D_a(P || Q) >=
/// (a - 1) D_a(P' || Q) + a log p.
[[nodiscard]] double squared_mu_far_out(const Composition& composition);

}  // namespace pld
