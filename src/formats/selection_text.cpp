#include "formats/selection_text.hpp"

#include <sstream>

#include "pld/formats/mechanism_text.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

/// The words in the brackets that begin here, which may hold others.
std::string in_brackets(std::istream& words) {
  std::string text;
  int depth = 0;
  for (char c = 0; words.get(c);) {
    if (c == ')' && --depth == 0) return text;
    if (depth > 0) text += c;
    if (c == '(') ++depth;
  }
  return text;
}

/// What is tried next, a mechanism or in brackets a selection. Throws ReadError.
std::optional<Entry> next_tried(std::istream& words) {
  if ((words >> std::ws).peek() == '(') return selection_from_text(in_brackets(words));
  std::string mechanism;
  words >> mechanism;
  return entry_from_text(mechanism, FileAccess::forbidden);
}

}  // namespace

std::optional<Entry> selection_from_text(const std::string& text) {
  std::istringstream words(text);
  std::string best, of, tries, plural, of_what, times;
  if (!(words >> best >> of >> tries >> plural >> of_what) || best != "best" || of != "of" || plural != "tries")
    return std::nullopt;
  Entry selection{.tries = tries};
  try {
    for (std::int64_t count = 0; words >> count >> times;) {
      std::optional<Entry> tried = next_tried(words);
      if (!tried) return std::nullopt;
      tried->count = count;
      selection.tried.push_back(std::move(*tried));
    }
  } catch (const ReadError&) {
    return std::nullopt;
  }
  return words.eof() ? std::optional(selection) : std::nullopt;
}

}  // namespace pld
