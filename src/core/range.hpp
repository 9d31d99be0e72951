#pragma once

#include <string>

#include "pld/core/rounding.hpp"

namespace pld {

/// The finite numbers that an argument may be. One object is the check, what its message says and what help says.
struct Range {
  double lowest = -infinity, highest = infinity;
  bool open = false;   ///< lowest itself is out
  bool whole = false;  ///< whole numbers only

  /// False for NaN.
  [[nodiscard]] bool holds(double value) const;

  /// What follows "must be": "> 0 and finite", "from 1e-6 to 500", "a whole number from 1 to 1e6"; each end times
  /// `unit`, as in "from 0.001 scale to 700 scale".
  [[nodiscard]] std::string text(const std::string& unit = "") const;
};

[[nodiscard]] constexpr Range above(double lowest) { return {.lowest = lowest, .open = true}; }
[[nodiscard]] constexpr Range at_least(double lowest) { return {.lowest = lowest}; }
[[nodiscard]] constexpr Range from_to(double lowest, double highest) { return {.lowest = lowest, .highest = highest}; }
[[nodiscard]] constexpr Range whole_from_to(double lowest, double highest) {
  return {.lowest = lowest, .highest = highest, .whole = true};
}

/// Throws DomainError unless the range holds the value. `why_not_beyond` may add what lies outside, in parentheses.
void require_in(const Range& range, const char* where, const char* argument, double value,
                const char* why_not_beyond = "");

}  // namespace pld
