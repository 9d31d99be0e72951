#pragma once

#include <optional>

namespace pld {

/// Which bound a step serves. An `upper` law or measure has a privacy profile at or above the true one at every
/// epsilon, a `lower` one at or below; composition keeps either order.
enum class Side { lower, upper };

[[nodiscard]] constexpr Side opposite(Side side) { return side == Side::upper ? Side::lower : Side::upper; }
[[nodiscard]] constexpr std::optional<Side> opposite(std::optional<Side> side) {
  return side ? std::optional(opposite(*side)) : std::nullopt;
}

}  // namespace pld
