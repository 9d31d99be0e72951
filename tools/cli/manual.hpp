#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace pld::cli {

/// The manual page in roff, for man(1): every command and option as the parser has them, then the mechanisms.
[[nodiscard]] std::string man_page(const CLI::App& app);

/// A script for bash that completes commands, options, and types of mechanisms with their parameters.
[[nodiscard]] std::string bash_completion(const CLI::App& app);

}  // namespace pld::cli
