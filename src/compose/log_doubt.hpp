#pragma once

#include <cmath>

#include "pld/core/rounding.hpp"

namespace pld {

/// What a logarithm formed of a few others may be off by.
[[nodiscard]] inline double doubt(double log_value) { return std::isfinite(log_value) ? 64 * unit_roundoff * (1 + std::fabs(log_value)) : 0; }

}  // namespace pld
