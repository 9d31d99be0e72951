#pragma once

#include "pairs/renyi_curve.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// The pair of the convex minorant of the converted profile (log_delta_of_renyi()) at 3000 epsilons: an upper bound.
/// Its renyi_curve() is the curve.
[[nodiscard]] PairPtr pair_of_renyi_curve(const RenyiCurve& curve);

}  // namespace pld
