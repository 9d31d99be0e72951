#pragma once

#include <optional>

#include "pairs/renyi_curve.hpp"
#include "pld/account/composition.hpp"

namespace pld {

/// What a table takes, in points.
constexpr double points_of_renyi_table = 1.2e7;

/// A bound of one release's Renyi divergences in both directions: the closed form of a Gaussian that is not sampled;
/// else renyi_divergence() at up to a hundred orders and, between two, the chord of (order - 1) D, which is convex
/// (van Erven, Harremoes 2014, corollary 2): some percent more. Of noise on thousands of integers
/// DominatingPair::renyi_slope() alone, which costs nothing. Nothing where no order has a finite bound.
[[nodiscard]] std::optional<RenyiCurve> renyi_table(const Release& release);

}  // namespace pld
