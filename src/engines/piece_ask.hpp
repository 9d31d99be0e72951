#pragma once

#include <optional>

#include "pld/core/rounding.hpp"

namespace pld {

/// A smaller 1 - delta is not sought to any relative width.
constexpr double least_complement = 1e-8;

/// Where a piece is to be narrow: at an epsilon, or where the profile reaches a delta.
struct PieceAsk {
  std::optional<double> log_delta{};  ///< in (-inf, 0): its epsilon is looked for
  double epsilon = 0;                 ///< finite; given where no delta is
  /// > 0: of log delta, and of log(1 - delta) where that is above least_complement; or relative, of the epsilon looked
  /// for, of which 1e-9 is enough in any case.
  double width = 1e-3;
  double nats = 0;               ///< how far log delta may be from that at epsilon where the piece is read
  double log_floor = -infinity;  ///< where log delta turns out to be below it an upper bound will do
};

}  // namespace pld
