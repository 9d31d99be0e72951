#pragma once

#include <cstddef>
#include <string>

namespace pld::cli {

/// Columns of a terminal; 0 of a file or a pipe, whose readers take a line as it is.
[[nodiscard]] std::size_t width_of(int descriptor);

/// The line broken at blanks so that no part is wider than that, each indented as much as what stands before the first.
/// A word too wide is left whole; of width 0 all is.
[[nodiscard]] std::string wrapped(const std::string& line, std::size_t width, std::size_t indent);

}  // namespace pld::cli
