#pragma once

#include <string>

#include "pld/core/finding.hpp"

namespace pld {

/// Few digits for a page, rounded up; three more where that keeps a number near one of so few: "1.000001", "1.234".
/// No NaN.
[[nodiscard]] std::string near_text_up(double value, int digits);

/// For a page: few digits, of the end that is proved, rounded outward: "<= 2.105", ">= 0.3".
[[nodiscard]] std::string at_most(const Bracket& bracket, int digits);
[[nodiscard]] std::string at_least(const Bracket& bracket, int digits = 4);

/// The same of a share, as "<= 12.4 %".
[[nodiscard]] std::string percent_at_most(const Bracket& share);
[[nodiscard]] std::string percent_at_least(const Bracket& share);

/// What real neighbours, or those of some mechanism with a guarantee, are known to lose, in front of the rest of a
/// note.
[[nodiscard]] std::string known(const Finding& loss, const std::string& note);

}  // namespace pld
