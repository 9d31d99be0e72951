#pragma once

#include "pairs/term.hpp"
#include "pld/core/bracket.hpp"

namespace pld {

/// The largest finite loss of a composition, the sum of its terms'. +inf where one has none. Where all are known
/// exactly (exact_highest()) the ends are neighbouring doubles, or one where the sum is a double: ten Laplace releases
/// of scale 10 have 1.
[[nodiscard]] Bracket largest_loss(const Terms& terms);

}  // namespace pld
