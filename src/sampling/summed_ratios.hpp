#pragma once

#include <cstdint>

#include "pld/core/direction.hpp"
#include "pld/pairs/dominating_pair.hpp"
#include "sampling/ratio_law.hpp"

namespace pld {

/// What the sum of rounded likelihood ratios tells of a record that takes part in `participations` of `steps` steps,
/// all choices alike: a lower bound for every pair of neighbours that has `pair` (of a removal) in each step.
///
/// Each step's outcome is mapped to a whole number, about its ratio over a spacing, and only the sum N of these is
/// looked at. It has the law q^T without the record and p^k q^(T-k) with it, whichever steps it is in; no event of N is
/// told apart better than one of all outcomes. Ratios of sums are those of the rounded masses, each moved to the side
/// that makes the direction's profile smaller.
[[nodiscard]] RatioLaw summed_ratios(const DominatingPair& pair, std::int64_t steps, std::int64_t participations,
                                     Direction direction);

}  // namespace pld
