#pragma once

#include <vector>

#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// The least pair that dominates the pair of two mass functions and the same pair swapped: at each epsilon its profile
/// is the larger one of theirs. For a symmetric relation, which may meet the two in either order in each release. The
/// pair itself where it is symmetric. Throws DomainError as pair_of_masses().
[[nodiscard]] PairPtr pair_in_either_order(const char* where, const std::vector<double>& p,
                                           const std::vector<double>& q);

}  // namespace pld
