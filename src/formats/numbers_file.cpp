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

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether a first line names what follows: it begins with a letter, quoted or not, or as a comment. What programs
/// write for a number that is missing or infinite ("NA", "NaN", "-nan(ind)") names nothing: it is a run's score.
bool is_heading(std::string_view line) {
  if (line.starts_with('#')) return true;
  std::string small(line);
  small.erase(std::remove_if(small.begin(), small.end(), [](char c) { return c == '"' || c == '\''; }), small.end());
  std::transform(small.begin(), small.end(), small.begin(), lower);
  if (small.empty() || !(is_letter(small.front()) || small.front() == '_')) return false;
  constexpr std::array none{"inf", "infinity", "nan", "na", "n/a", "null", "none", "nil", "missing"};
  return std::find(none.begin(), none.end(), small) == none.end() && !small.starts_with("nan(");
}

/// Whether words hold a number that some program may mean by them, as "tensor(1.5)", "score: 3" and "x = inf" do: a
/// digit that is no word's later one, as in "float64", "e5" and "run_2", or the name of what is infinite or none.
bool holds_number(std::string_view heading) {
  std::string word;
  const auto is_number = [&] {
    return !word.empty() && (is_digit(word.front()) || word == "inf" || word == "infinity" || word == "nan");
  };
  for (const char c : heading) {
    const char small = lower(c);
    if (is_letter(small) || is_digit(small) || small == '_') {
      word += small;
    } else {
      if (is_number()) return true;
      word.clear();
    }
  }
  return is_number();
}

double number_of_line(std::string_view line, const std::string& place) {
  try {
    if (line.find('/') == std::string_view::npos) return finite_from_text(line, "", "");
  } catch (const ReadError&) {
  }
  throw ReadError(place +
                  " must be one finite number: no decimal comma, no blank or quote, no quotient, and one run or canary "
                  "to a line");
}

/// A first line that names what follows and is no score in disguise.
bool is_plain_heading(std::string_view line, const std::string& place) {
  if (!is_heading(line)) return false;
  if (!line.starts_with('#') && holds_number(line))
    throw ReadError(place + " must be one finite number, or a heading without one; a comment begins with #");
  return true;
}

}  // namespace

std::vector<double> numbers_of_file(const std::string& path) {
  const auto text = text_of_input(path);
  if (!text) throw ReadError("file: '" + path + "' does not exist");
  std::string_view rest = utf8_text(*text, path);
  std::vector<double> numbers;
  for (std::size_t count = 1; !rest.empty(); ++count) {
    const std::string_view line = without_blanks(next_line_of(rest));
    const std::string place = path + ", line " + std::to_string(count);
    if (line.empty() || (count == 1 && is_plain_heading(line, place))) continue;
    numbers.push_back(number_of_line(line, place));
  }
  if (numbers.empty()) throw ReadError(path, "number of numbers", "0", "at least 1");
  return numbers;
}

}  // namespace pld
