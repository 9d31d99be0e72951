#include "formats/columns_file.hpp"

#include <algorithm>
#include <string_view>

#include "formats/fields.hpp"
#include "formats/read_number.hpp"
#include "formats/strict_json.hpp"
#include "formats/text_file.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

using Columns = std::map<std::string, std::vector<double>>;

constexpr std::size_t most_rows = 100000;

void require_shape(const Columns& columns, const std::string& path) {
  const std::size_t rows = columns.begin()->second.size();
  for (const auto& [name, column] : columns) {
    if (column.size() != rows)
      throw ReadError(path, "column " + name, "of " + std::to_string(column.size()) + " numbers",
                      "as long as the others, " + std::to_string(rows));
  }
  if (rows == 0 || rows > most_rows) throw ReadError(path, "number of rows", std::to_string(rows), "from 1 to 100000");
}

Columns columns_of_json(std::string_view text, const std::vector<std::string>& names, const std::string& path) {
  const std::string accepted = "an object of the arrays " + listed(names) + ", of numbers";
  require_json(text, path);
  const nlohmann::json object = nlohmann::json::parse(text);
  if (!object.is_object() || object.size() != names.size()) throw ReadError(path + " must be " + accepted);
  Columns columns;
  for (const std::string& name : names) {
    const auto column = object.find(name);
    if (column == object.end() || !column->is_array())
      throw ReadError(path + ": " + name + " is no array in " + accepted);
    std::vector<double>& numbers = columns[name];  // there also where the array is empty
    for (const nlohmann::json& cell : *column) {
      const std::string place = path + ": " + name + "[" + std::to_string(numbers.size()) + "]";
      if (!cell.is_number() && !cell.is_string()) throw ReadError(place + " must be a finite number");
      numbers.push_back(cell.is_number() ? cell.get<double>() : number_of_cell(cell.get<std::string>(), place));
    }
  }
  return columns;
}

/// R and spreadsheets quote words, and numbers too where they are told to.
std::string_view without_quotes(std::string_view cell) {
  const bool is_quoted = cell.size() > 1 && cell.starts_with('"') && cell.ends_with('"');
  return is_quoted ? cell.substr(1, cell.size() - 2) : cell;
}

std::vector<std::string> heading_of(std::string_view line, const std::vector<std::string>& names,
                                    const std::string& where) {
  std::vector<std::string> heading;
  for (const std::string_view cell : cells_of(line)) heading.emplace_back(cell);
  std::vector<std::string> got = heading, wanted = names;
  std::sort(got.begin(), got.end());
  std::sort(wanted.begin(), wanted.end());
  if (got != wanted) throw ReadError(where + ": the heading must be the columns " + listed(names));
  return heading;
}

Columns columns_of_text(std::string_view text, const std::vector<std::string>& names, const std::string& path) {
  Columns columns;
  std::vector<std::string> heading;
  text = without_blank_end(utf8_text(text, path));
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = next_line_of(text);
    const std::string where = path + ", line " + std::to_string(number);
    if (heading.empty()) {
      heading = heading_of(line, names, where);
      continue;
    }
    const auto cells = cells_of(line);
    if (cells.size() != heading.size())
      throw ReadError(where, "number of cells", std::to_string(cells.size()), std::to_string(heading.size()));
    for (std::size_t i = 0; i < cells.size(); ++i)
      columns[heading[i]].push_back(number_of_cell(cells[i], where + ": " + heading[i]));
  }
  if (heading.empty())
    throw ReadError(path, "the file", "empty", "a line with the columns " + listed(names) + ", then rows");
  for (const std::string& name : names) columns[name];
  return columns;
}

}  // namespace

std::string_view next_line_of(std::string_view& text) {
  const auto end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const auto comma = line.find(',');
    std::string_view cell = line.substr(0, comma);
    while (cell.starts_with(' ')) cell.remove_prefix(1);
    while (cell.ends_with(' ')) cell.remove_suffix(1);
    cells.push_back(without_quotes(cell));
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

double number_of_cell(std::string_view cell, const std::string& place) {
  try {
    return finite_from_text(cell, "", "");
  } catch (const ReadError&) {
    throw ReadError(place + " must be a finite number");
  }
}

Columns columns_of_file(const std::string& path, const std::vector<std::string>& names, FileAccess files) {
  if (files == FileAccess::forbidden)
    throw ReadError("file is '" + path + "', but files are forbidden here: write the lists " + listed(names) +
                    " themselves");
  const auto text = text_of_file(path);
  if (!text) throw ReadError("file: '" + path + "' does not exist");
  return columns_of(*text, path, names);
}

Columns columns_of(std::string_view content, const std::string& path, const std::vector<std::string>& names) {
  Columns columns =
      path.ends_with(".json") ? columns_of_json(content, names, path) : columns_of_text(content, names, path);
  require_shape(columns, path);
  return columns;
}

}  // namespace pld
