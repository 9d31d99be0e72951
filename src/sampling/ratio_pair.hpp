#pragma once

#include <functional>
#include <optional>

#include "core/side.hpp"
#include "pairs/gaussian_allocation.hpp"
#include "pld/core/direction.hpp"
#include "pld/pairs/dominating_pair.hpp"
#include "sampling/ratio_law.hpp"

namespace pld {

/// The pair with this ratio, of one term: its losses log r for removal, -log r for addition, moved to the side by as
/// much as the ratios may be off. `law` is asked for it once somebody looks: many a law is made that nobody does, in
/// the other direction, or of a mechanism on the way to another. `exact`: the law that it bounds, where that is known.
[[nodiscard]] PairPtr pair_of_ratio(std::function<RatioLaw()> law, Direction direction, Side side,
                                    std::optional<GaussianAllocation> exact = std::nullopt);

}  // namespace pld
