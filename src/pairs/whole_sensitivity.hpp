#pragma once

#include "core/range.hpp"

namespace pld {

/// The sensitivity of an integer-valued query.
inline constexpr Range whole_sensitivity = whole_from_to(1, 1e6);

}  // namespace pld
