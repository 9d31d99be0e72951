#pragma once

#include "pld/account/composition.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/direction.hpp"

namespace pld {

// Concentrated differential privacy read off the Renyi divergences D_alpha of all orders above 1. Between orders that
// were computed (alpha - 1) D_alpha, which is convex and 0 at alpha = 1 (van Erven, Harremoes 2014, theorem 11), lies
// below its chords. `tolerance` is relative. An upper end is +inf where no bound on D_alpha at large orders is known
// (Skellam, generalized Gaussian).

/// The smallest rho with D_alpha <= rho alpha for all alpha > 1: rho-zCDP (Bun, Steinke 2016, definition 1.1).
[[nodiscard]] Bracket zcdp_rho(const Composition& composition, DirectionChoice direction = DirectionChoice::worst,
                               double tolerance = 1e-3);

/// The smallest xi >= 0 with D_alpha <= xi + rho alpha for all alpha > 1: (xi, rho)-zCDP (same source).
/// rho >= 0; tolerance is relative to D_alpha.
[[nodiscard]] Bracket zcdp_xi(const Composition& composition, double rho,
                              DirectionChoice direction = DirectionChoice::worst, double tolerance = 1e-3);

/// The largest omega with D_alpha <= rho alpha for 1 < alpha < omega: (rho, omega)-tCDP (Bun, Dwork, Rothblum, Steinke
/// 2018, definition 1). rho > 0; 1 where even orders near 1 exceed it, +inf where none does.
[[nodiscard]] Bracket tcdp_omega(const Composition& composition, double rho,
                                 DirectionChoice direction = DirectionChoice::worst, double tolerance = 1e-3);

}  // namespace pld
