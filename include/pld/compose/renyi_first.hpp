#pragma once

#include <optional>

#include "pld/compose/composition.hpp"

namespace pld {

/// The composition with all its Rényi guarantees (zCDP, RDP curves, ...) added up first and converted once: an upper bound
/// as well, and mostly a better one, since a conversion forgets. Nothing where there are fewer than two to add up.
[[nodiscard]] std::optional<Composition> renyi_first(const Composition& composition);

}  // namespace pld
