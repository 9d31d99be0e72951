#pragma once

#include "report.hpp"

/// The parts of the notes, in their order: each adds its rows and figures.
namespace pld::validation::notes_parts {

void privacy_loss(Section& section);       ///< sections 1 to 3
void renyi(Section& section);              ///< section 4
void approximate_renyi(Section& section);  ///< section 4.1
void composition(Section& section);        ///< sections 5 to 7
void decomposition(Section& section);      ///< section 8

inline constexpr int trials = 1000;  // random pairs of each row

}  // namespace pld::validation::notes_parts
