#pragma once

#include <CLI/CLI.hpp>

namespace pld::cli {

/// Makes every option refuse "", as of a shell's variable that is not set: the answer would be to another question.
/// Titles, names and notes may be empty. Options that say more about it have checks of their own, which come first.
void refuse_empty_values(CLI::App& app);

}  // namespace pld::cli
