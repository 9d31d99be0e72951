#include "formats/numbers_file.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "formats/columns_file.hpp"
#include "formats/read_number.hpp"
#include "formats/text_file.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {

namespace {

constexpr std::string_view blanks = " \t";

std::string_view without_blanks(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  line.remove_suffix(line.size() - 1 - std::min(line.find_last_not_of(blanks), line.size() - 1));
  return line;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Whether a first line names what follows: it begins with a letter, quoted or not, or as a comment. What programs
/// write for a number that is missing or infinite ("NA", "NaN", "-nan(ind)") names nothing: it is a run's score.
bool is_heading(std::string_view line) {
  if (line.starts_with('#')) return true;
  std::string small(line);
  small.erase(std::remove_if(small.begin(), small.end(), [](char c) { return c == '"' || c == '\''; }), small.end());
  std::transform(small.begin(), small.end(), small.begin(), lower);
  if (small.empty() || !((small.front() >= 'a' && small.front() <= 'z') || small.front() == '_')) return false;
  constexpr std::array none{"inf", "infinity", "nan", "na", "n/a", "null", "none", "nil", "missing"};
  return std::find(none.begin(), none.end(), small) == none.end() && !small.starts_with("nan(");
}

double number_of_line(std::string_view line, const std::string& place) {
  try {
    return finite_from_text(line, "", "");
  } catch (const ReadError&) {
    throw ReadError(place +
                    " must be one finite number: no decimal comma, no blank or quote, and one run or canary to a line");
  }
}

}  // namespace

std::vector<double> numbers_of_file(const std::string& path) {
  const auto text = text_of_file(path);
  if (!text) throw ReadError("file: '" + path + "' does not exist");
  std::string_view rest = without_byte_order_mark(*text);
  std::vector<double> numbers;
  for (std::size_t count = 1; !rest.empty(); ++count) {
    const std::string_view line = without_blanks(next_line_of(rest));
    if (line.empty() || (count == 1 && is_heading(line))) continue;
    numbers.push_back(number_of_line(line, path + ", line " + std::to_string(count)));
  }
  if (numbers.empty()) throw ReadError(path, "number of numbers", "0", "at least 1");
  return numbers;
}

}  // namespace pld
