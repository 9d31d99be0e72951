#pragma once

#include <string>

namespace pld {

/// The shortest decimal text, of at least 6 digits' precision, that reads back as the same double: "0.005", "100000",
/// "1e6", "1e-09", "inf". In any locale.
[[nodiscard]] std::string number_text(double value);

/// The double nearest to such a text, in any locale and rounding mode; 0 of what no double's range holds.
[[nodiscard]] double number_of(const std::string& text);

}  // namespace pld
