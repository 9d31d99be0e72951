#pragma once

#include "pld/account/composition.hpp"

namespace pld {

/// How many kinds of releases there are to engines, whose work grows with them: as many sampled Gaussians take as much.
[[nodiscard]] double kinds_by_work(const Composition& composition);

/// The composition for engines: where there are more than `most` kinds by work, those of ordered families (OrderedLaw)
/// come in boxes of their sizes, each known from two sides. The boxes take as much as `most` kinds at most, or are
/// eight. Others stay as they are.
[[nodiscard]] Composition with_few_kinds(const Composition& composition, double most);

}  // namespace pld
