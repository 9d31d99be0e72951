#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "pld/formats/file_access.hpp"

namespace pld {

/// Columns of numbers, all of one length, from a file. One whose name ends in .json holds an object of arrays,
/// {"p": [0.75, 0.25], "q": [0.25, 0.75]}; any other is text: a line of the columns' names in any order, then the rows,
/// all separated by commas. Throws ReadError, with the line and nothing else of the content, unless it holds these
/// columns and no others, and 1 to 1e5 rows; also where files are forbidden.
[[nodiscard]] std::map<std::string, std::vector<double>> columns_of_file(const std::string& path,
                                                                         const std::vector<std::string>& names,
                                                                         FileAccess files);

/// The same of what the file at `path` holds.
[[nodiscard]] std::map<std::string, std::vector<double>> columns_of(std::string_view content, const std::string& path,
                                                                    const std::vector<std::string>& names);

/// Takes the first line off a text, without its end.
[[nodiscard]] std::string_view next_line_of(std::string_view& text);

/// What commas separate in a line, without blanks around or quotation marks.
[[nodiscard]] std::vector<std::string_view> cells_of(std::string_view line);

/// finite_from_text(), without telling what the cell holds. Throws ReadError.
[[nodiscard]] double number_of_cell(std::string_view cell, const std::string& place);

}  // namespace pld
