#pragma once

#include "sampling/pair_ratio.hpp"

namespace pld {

/// How two independent ratios become one: steps of which a record takes part in one add up, releases multiply.
enum class Join { sum, product };

[[nodiscard]] constexpr double joined(Join join, double a, double b) { return join == Join::sum ? a + b : a * b; }

/// The sum or product of two independent ratios, `count` nodes: as the map places them; by a coarse run where that is
/// empty. Costs grow with the square of the number of nodes, and errors fall with it. Factors have one term each.
[[nodiscard]] PlacedRatio join(Join how, const RatioLaw& a, const RatioLaw& b, Side side, int count,
                               const NodeMap& map);

/// The mean of its terms, as one term.
[[nodiscard]] RatioLaw mean_of_terms(RatioLaw law);

}  // namespace pld
