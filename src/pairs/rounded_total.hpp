#pragma once

#include <cmath>
#include <optional>

#include "core/side.hpp"
#include "pairs/term.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// A pair whose masses were rounded to a side, so that P's whole mass, with that at infinity, is not 1: the sum
/// P(z <= epsilon) + e^epsilon Q(z > epsilon) is then that mass less delta, and 1 - delta is known to this only.
struct RoundedTotal {
  virtual ~RoundedTotal() = default;
  /// A bound on how far P's whole mass is from 1.
  [[nodiscard]] virtual double total_doubt() const = 0;
  /// The same of Q's whole mass.
  [[nodiscard]] virtual double q_total_doubt() const = 0;
  /// Which bound of delta the pair is for. Its own delta may exclude the other, e.g. be less than 1 - e^epsilon.
  [[nodiscard]] virtual Side rounded_to() const = 0;
};

[[nodiscard]] inline double total_doubt(const DominatingPair& pair) {
  const auto* rounded = dynamic_cast<const RoundedTotal*>(&pair);
  return rounded ? rounded->total_doubt() : 0;
}

/// Whether P's and Q's whole masses are 1.
[[nodiscard]] inline bool sums_to_one(const DominatingPair& pair) { return total_doubt(pair) == 0; }

[[nodiscard]] inline double q_total_doubt(const DominatingPair& pair) {
  const auto* rounded = dynamic_cast<const RoundedTotal*>(&pair);
  return rounded ? rounded->q_total_doubt() : 0;
}

/// How far the logarithms of P's and of Q's whole mass in a composition may be from 0: what a count of some releases'
/// outcomes, which takes the others' masses to be 1, is off by at most.
struct TotalSpread {
  double p = 0, q = 0;
};
[[nodiscard]] inline TotalSpread total_spread(const Terms& terms) {
  TotalSpread spread;
  for (const Term& t : terms) {
    const auto* rounded = dynamic_cast<const RoundedTotal*>(t.pair.get());
    if (!rounded) continue;
    const auto of = [&](double doubt) {
      return doubt < 0.5 ? round_up(static_cast<double>(t.count) * -std::log1p(-doubt), 4) : infinity;
    };
    spread.p += of(rounded->total_doubt());
    spread.q += of(rounded->q_total_doubt());
  }
  return spread;
}

/// The side that the pair's masses were rounded to; nothing of masses that sum to 1.
[[nodiscard]] inline std::optional<Side> rounded_to(const DominatingPair& pair) {
  const auto* rounded = dynamic_cast<const RoundedTotal*>(&pair);
  return rounded ? std::optional(rounded->rounded_to()) : std::nullopt;
}

/// The same of a composition, all of whose rounded pairs were rounded to one side.
[[nodiscard]] inline std::optional<Side> rounded_to(const Terms& terms) {
  for (const Term& t : terms)
    if (const auto side = rounded_to(*t.pair)) return side;
  return std::nullopt;
}

}  // namespace pld
