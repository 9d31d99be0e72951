#pragma once

#include <algorithm>

#include "pld/core/bracket.hpp"

namespace pld {

/// Bracket of max(a, b).
[[nodiscard]] inline Bracket larger(const Bracket& a, const Bracket& b) {
  return {std::max(a.lower, b.lower), std::max(a.estimate, b.estimate), std::max(a.upper, b.upper)};
}

/// Bracket of min(a, b).
[[nodiscard]] inline Bracket smaller(const Bracket& a, const Bracket& b) {
  return {std::min(a.lower, b.lower), std::min(a.estimate, b.estimate), std::min(a.upper, b.upper)};
}

}  // namespace pld
