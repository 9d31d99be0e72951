#pragma once

#include <string>

namespace pld {

/// The shortest decimal text, of at least 6 digits' precision, that reads back as the same double: "0.005", "100000",
/// "1e6", "1e-09", "inf". Independent of the locale.
[[nodiscard]] std::string number_text(double value);

}  // namespace pld
