#include "pld/formats/mechanism_text.hpp"

#include <algorithm>
#include <vector>

#include "core/standard_arithmetic.hpp"
#include "formats/fields.hpp"
#include "formats/mechanism_words.hpp"
#include "formats/read_number.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

/// What may have gone wrong where an assignment has no '='.
std::string hint_of_rest(std::string_view text) {
  if (text.empty()) return " (a mechanism with blanks takes quotes)";  // or "gaussian:" is all that the shell left
  return text.find_first_not_of("0123456789") == std::string_view::npos
             ? " (decimals take a point, and thousands no mark)"
             : "";
}

std::string_view without_leading_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

/// What text says of a word of a mechanism.
struct TextValue {
  std::string_view text_;
  std::string where, word;

  [[nodiscard]] double number() const { return finite_from_text(text_, where, word); }
  [[nodiscard]] std::string written() const { return text(); }
  [[nodiscard]] double share() const { return share_from_text(text_, where, word); }
  [[nodiscard]] std::vector<double> numbers() const { return list_from_text(text_, where, word); }
  [[nodiscard]] std::string text() const { return std::string(text_); }
};

/// Gives one "key=value" its place in the entry.
void read_assignment(std::string_view assignment, const MechanismType& type, MechanismWords& words, Entry& entry) {
  const std::string& where = type.name;
  const auto equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw ReadError(where, "parameter", "'" + std::string(assignment) + "'",
                    "written key=value" + hint_of_rest(assignment));
  }
  const std::string word(assignment.substr(0, equals));
  require_known_word(word, type);
  words.read(word, TextValue{assignment.substr(equals + 1), where, plain_key(type, word)}, entry);
}

}  // namespace

Entry entry_from_text(std::string_view word, FileAccess files) {
  const StandardArithmetic arithmetic;
  const auto colon = word.find(':');
  Entry entry{.type = std::string(word.substr(0, colon))};
  if (entry.type.find('=') != std::string::npos)
    throw ReadError(
        "'" + std::string(word) +
        "' has no type: a mechanism is one word, its parts joined to it by commas, as in gaussian:sigma=1,q=0.01");
  const MechanismType& type = mechanism_type(entry.type, "mechanism '" + std::string(word) + "'");
  if (colon == std::string_view::npos) return entry;
  MechanismWords words(type, type.name, files);
  for (std::string_view rest = word.substr(colon + 1);;) {
    const auto comma = rest.find(',');
    read_assignment(without_leading_blanks(rest.substr(0, comma)), type, words, entry);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  words.finish(entry);
  return entry;
}

}  // namespace pld
