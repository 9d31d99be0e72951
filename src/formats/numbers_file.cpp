#include "formats/numbers_file.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "formats/read_number.hpp"
#include "formats/text_file.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {

namespace {

std::optional<double> number_in(std::string_view word) {
  try {
    return finite_from_text(word, "", "");
  } catch (const ReadError&) {
    return std::nullopt;
  }
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Whether a word is meant as a number, though it may be none that is taken: it begins as numbers do, or is what
/// programs write for infinities and for no number ("Infinity", "NaN", "-nan(ind)").
bool is_meant_as_number(std::string_view word) {
  if (word.starts_with('+') || word.starts_with('-')) word.remove_prefix(1);
  const std::size_t digit = word.starts_with('.') ? 1 : 0;
  if (digit < word.size() && word[digit] >= '0' && word[digit] <= '9') return true;
  std::string small(word);
  std::transform(small.begin(), small.end(), small.begin(), lower);
  return small == "inf" || small == "infinity" || small == "nan" || small.starts_with("nan(");
}

}  // namespace

std::vector<double> numbers_of_file(const std::string& path) {
  const auto text = text_of_file(path);
  if (!text) throw ReadError("file: '" + path + "' does not exist");
  constexpr std::string_view separators = ", \t\r\n";
  std::vector<double> numbers;
  std::size_t line = 1;
  for (std::size_t begin = 0; begin < text->size();) {
    if (separators.find((*text)[begin]) != std::string_view::npos) {
      if ((*text)[begin++] == '\n') ++line;
      continue;
    }
    const std::size_t end = std::min(text->find_first_of(separators, begin), text->size());
    const std::string_view word = std::string_view(*text).substr(begin, end - begin);
    const auto found = number_in(word);
    if (found) {
      numbers.push_back(*found);
      begin = end;
    } else if (line == 1 && numbers.empty() && !is_meant_as_number(word)) {
      begin = std::min(text->find('\n'), text->size());
    } else {
      throw ReadError(path + ", line " + std::to_string(line) + ": must be finite numbers");
    }
  }
  if (numbers.empty()) throw ReadError(path, "number of numbers", "0", "at least 1");
  return numbers;
}

}  // namespace pld
