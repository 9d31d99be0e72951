#pragma once

#include <string>
#include <vector>

namespace pld {

/// The numbers of the file at `path`, separated by commas, blanks or ends of lines; a first line that begins with text
/// that is no number, "inf" and "nan" being numbers, is a heading. Throws ReadError, with the line and nothing else of
/// the content, where the file cannot be read, something is no finite number, or there are none.
[[nodiscard]] std::vector<double> numbers_of_file(const std::string& path);

}  // namespace pld
