#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pld {

/// The finite number that `text` spells in full, whatever the locale, rounded to nearest: a decimal, a percentage
/// ("0.5%") or a quotient of such ("1/60000"). Throws ReadError naming
/// `where` and `what` for anything else, also for a number too large or too small (but not zero) for a double.
[[nodiscard]] double finite_from_text(std::string_view text, const std::string& where, const std::string& what);

/// The same, or one of "inf", "+inf", "-inf".
[[nodiscard]] double extended_from_text(std::string_view text, const std::string& where, const std::string& what);

/// The finite numbers of a list, "0/1/2".
[[nodiscard]] std::vector<double> list_from_text(std::string_view text, const std::string& where,
                                                 const std::string& what);

/// `value` as a number of releases. Throws ReadError unless it is a whole number from 0 to Composition::max_count; it
/// is told as it was `written`, which may be no double.
[[nodiscard]] std::int64_t count_from_number(double value, const std::string& where, const std::string& written);
[[nodiscard]] std::int64_t count_from_number(double value, const std::string& where);

}  // namespace pld
