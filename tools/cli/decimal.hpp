#pragma once

#include <optional>
#include <string>

#include "pld/account/query.hpp"
#include "pld/core/finding.hpp"

namespace pld::cli {

/// A bracket's ends in decimals for a person, rounded outward to a place below its width.
struct BracketText {
  std::string lower, upper;
};
[[nodiscard]] BracketText decimals(const Bracket& bracket);

/// The same in so many significant digits, 1 to 17.
[[nodiscard]] BracketText decimals(const Bracket& bracket, int digits);

/// What is proved of a loss, the safe number first:
///   "2.0042 (exact to 1e-4: 2.0041 .. 2.0042)", the relative width, where one pair of neighbours attains it; where
///   that is wider than was asked for, "2.1 (between 1.2 and 2.1)";
///   "2.0042 (at most; at least 1.7)", or "2.0042 (at most)", where the releases' pairs only dominate; the lower end
///   may be "for some mechanism with the guarantee". Equal ends are told once: "inf (at most, and no less)".
/// In as many digits as are known, or in so many: "3 (exact to 1e-4; rounded outward: 2 .. 3)".
[[nodiscard]] std::string at_most(const Finding& finding, bool converged, std::optional<int> digits = {});

/// That of an answer; a delta as exp(log delta) where a double has too few digits for it or none, with the relative
/// width of delta itself.
[[nodiscard]] std::string at_most(const Answer& answer, std::optional<int> digits = {});
[[nodiscard]] std::string at_most(const DeltaAnswer& answer, std::optional<int> digits = {});

}  // namespace pld::cli
