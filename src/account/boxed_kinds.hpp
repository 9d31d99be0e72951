#pragma once

#include <cstddef>

#include "pld/account/composition.hpp"

namespace pld {

/// The composition for engines, whose work grows with the kinds of releases: where there are more than `most`, those
/// of ordered families (OrderedLaw) come in as many boxes of their sizes at most, each known from two sides. Others
/// stay as they are.
[[nodiscard]] Composition with_few_kinds(const Composition& composition, std::size_t most);

}  // namespace pld
