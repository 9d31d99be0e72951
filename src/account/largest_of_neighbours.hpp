#pragma once

#include "pld/account/composition.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/direction.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

/// The largest loss of any neighbours, infinite ones included: from what real ones have up to the least of the pairs'
/// and of the sums along ways by other data sets, or by what an allocation would tell. No epsilon needs to be larger.
[[nodiscard]] Bracket largest_of_neighbours(const Composition& composition, DirectionChoice choice);

/// Its upper end where laws on nodes may leave some mass beyond it, which no step by other data sets has; infinite
/// elsewhere, and where there is no work for it.
[[nodiscard]] double largest_beside_nodes(const Composition& composition, DirectionChoice choice);

/// Whether delta is 0 at an epsilon by such a largest loss; at an infinite one it is the mass of infinite losses.
[[nodiscard]] inline bool is_beyond(double epsilon, double largest) { return largest < infinity && epsilon >= largest; }

}  // namespace pld
