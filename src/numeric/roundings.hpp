#pragma once

#include <cmath>

#include "pld/core/rounding.hpp"

namespace pld {

/// What `units` roundings of 1 and of terms of these sizes may be together. Whoever calls it tells what is rounded.
template <class... Sizes>
[[nodiscard]] constexpr double roundings(double units, Sizes... sizes) {
  return units * unit_roundoff * (1.0 + ... + std::fabs(static_cast<double>(sizes)));
}

}  // namespace pld
