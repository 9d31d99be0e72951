#pragma once

#include "pairs/shifted_masses_pair.hpp"

namespace pld {

/// The opposite sample (sampling/opposite_sample.hpp) of noise with finitely many masses, outcome by outcome. Null
/// where the masses are not symmetric to the last digit.
[[nodiscard]] PairPtr opposite_masses(const ShiftedMassesPair& removal, double q);

}  // namespace pld
