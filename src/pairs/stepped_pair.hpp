#pragma once

#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// What the outputs on two data sets lose which so many neighbours lie between.
struct SteppedPair {
  PairPtr above;  ///< dominates; null where it is not worked out
  PairPtr below;  ///< likewise; dominated by the outputs of some mechanism whose neighbours have that law
};

/// Of steps each of which is dominated by `one`, from docs/groups.md: a test of all is no better than if each step's
/// best one rejected as often as the step before may err (Dong, Roth, Su 2022, theorem 2.14). Noise is known that
/// attains this (Awan, Vadhan 2023). Without pairs where `one` is not symmetric, has a density or many atoms, masses
/// that were rounded to a side or underflow, or losses of the size of their errors.
[[nodiscard]] SteppedPair pair_of_steps(const DominatingPair& one, int steps);

}  // namespace pld
