#pragma once

#include <string>
#include <string_view>

namespace pld {

/// SHA-256 (FIPS 180-4) as 64 hexadecimal digits: what Python's hashlib and PostgreSQL's sha256() give too.
[[nodiscard]] std::string sha256(std::string_view bytes);

/// 32 hexadecimal digits that nobody has had before.
[[nodiscard]] std::string random_name();

}  // namespace pld
