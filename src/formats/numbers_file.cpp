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
    const auto found = number_in(std::string_view(*text).substr(begin, end - begin));
    if (found) {
      numbers.push_back(*found);
      begin = end;
    } else if (line == 1 && numbers.empty()) {
      begin = std::min(text->find('\n'), text->size());
    } else {
      throw ReadError(path + ", line " + std::to_string(line) + ": must be finite numbers");
    }
  }
  if (numbers.empty()) throw ReadError(path, "number of numbers", "0", "at least 1");
  return numbers;
}

}  // namespace pld
