#pragma once

#include <string_view>

namespace pld {

/// The first of the text's characters that looks like the minus sign '-' and is another one, as word processors and
/// papers have: hyphens, dashes and minus signs of Unicode, in UTF-8. Empty where there is none.
[[nodiscard]] std::string_view other_dash_in(std::string_view text);

}  // namespace pld
