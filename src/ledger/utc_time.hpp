#pragma once

#include <string>
#include <string_view>

namespace pld {

/// What this machine's clock says, as "2026-11-23T23:45:07Z". SOURCE_DATE_EPOCH in the environment, seconds since 1970,
/// stands for the clock, for ledgers that are to be the same bytes again. Throws ReadError where it is no such number.
[[nodiscard]] std::string utc_time();

/// Whether a text is written like that.
[[nodiscard]] bool is_utc_time(std::string_view text);

}  // namespace pld
