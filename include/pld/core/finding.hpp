#pragma once

#include "pld/core/bracket.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

/// A bracket of a quantity that is larger where more is lost, and whose number it is. `upper` is always a proof.
/// Exact: one pair of neighbours attains what the releases' pairs compose to, and the bracket holds it. Else the pairs
/// only dominate: `lower` is what real neighbours attain, however far below.
struct Finding : Bracket {
  bool exact = true;
  /// Whether only a guarantee is known of some mechanism. The lower end is then what the neighbours of one mechanism
  /// with that guarantee attain, and says nothing of another.
  bool only_guaranteed = false;

  /// A lower end of 0 or -infinity of what is not exact says nothing: no loss of real neighbours is known.
  [[nodiscard]] bool has_lower() const { return exact || (lower != 0 && lower > -infinity); }

  /// How far `upper` may be above what it bounds, the truth where that is exact.
  [[nodiscard]] double doubt() const { return exact ? width() : Bracket{estimate, estimate, upper}.width(); }
};

}  // namespace pld
