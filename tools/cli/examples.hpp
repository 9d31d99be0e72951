#pragma once

#include <CLI/CLI.hpp>

namespace pld::cli {

/// Gives each command's help, and so the manual, lines that can be typed as they stand.
void add_examples(CLI::App& app);

}  // namespace pld::cli
