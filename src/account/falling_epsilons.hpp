#pragma once

#include <vector>

#include "pld/core/bracket.hpp"

namespace pld {

/// Epsilon falls with delta: those of falling deltas, perhaps asked for apart, bound each other. A bracket that lies
/// apart, of laws on other nodes, stays as it is.
void make_fall(std::vector<Bracket>& epsilons_of_falling_deltas);

}  // namespace pld
