#pragma once

#include "core/side.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// A pair whose masses were rounded to a side, so that P's whole mass, with that at infinity, is not 1: the sum
/// P(z <= epsilon) + e^epsilon Q(z > epsilon) is then that mass less delta, and 1 - delta is known to this only.
struct RoundedTotal {
  virtual ~RoundedTotal() = default;
  /// A bound on how far P's whole mass is from 1.
  [[nodiscard]] virtual double total_doubt() const = 0;
  /// Which bound of delta the pair is for. Its own delta may exclude the other, e.g. be less than 1 - e^epsilon.
  [[nodiscard]] virtual Side rounded_to() const = 0;
};

[[nodiscard]] inline double total_doubt(const DominatingPair& pair) {
  const auto* rounded = dynamic_cast<const RoundedTotal*>(&pair);
  return rounded ? rounded->total_doubt() : 0;
}

[[nodiscard]] inline bool is_rounded_away_from(const DominatingPair& pair, Side side) {
  const auto* rounded = dynamic_cast<const RoundedTotal*>(&pair);
  return rounded && rounded->rounded_to() != side;
}

}  // namespace pld
