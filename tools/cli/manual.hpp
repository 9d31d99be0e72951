#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace pld::cli {

/// The manual page in roff, for man(1): every command and option as the parser has them, then the mechanisms.
[[nodiscard]] std::string man_page(const CLI::App& app);

}  // namespace pld::cli
