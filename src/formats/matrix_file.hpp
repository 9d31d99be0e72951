#pragma once

#include <string>
#include <string_view>

#include "pld/formats/file_access.hpp"
#include "pld/mechanisms/matrix_sensitivity.hpp"

namespace pld {

/// A matrix from a file: one whose name ends in .npy holds a NumPy array of two dimensions, of doubles, floats or
/// whole numbers up to 2^53, in little-endian order; one that ends in .csv the rows as lines of numbers separated by
/// commas, without a heading. Throws ReadError, with the line and nothing else of the content, for anything else, and
/// where files are forbidden.
[[nodiscard]] StrategyMatrix matrix_of_file(const std::string& path, FileAccess files);

/// The same of what the file at `path` holds.
[[nodiscard]] StrategyMatrix matrix_of(std::string_view content, const std::string& path);

}  // namespace pld
