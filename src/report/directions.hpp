#pragma once

#include "pld/account/composition.hpp"

namespace pld {

/// Whether an answer in one direction may be another than the other's: not where a record is replaced.
[[nodiscard]] bool directions_differ(const Composition& composition);

}  // namespace pld
