#include "formats/selection_text.hpp"

#include <sstream>

#include "pld/formats/mechanism_text.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {

std::optional<Entry> selection_from_text(const std::string& text) {
  std::istringstream words(text);
  std::string best, of, tries, plural, of_what, times, mechanism;
  if (!(words >> best >> of >> tries >> plural >> of_what) || best != "best" || of != "of" || plural != "tries")
    return std::nullopt;
  Entry selection{.tries = tries};
  try {
    for (std::int64_t count = 0; words >> count >> times >> mechanism;) {
      selection.tried.push_back(entry_from_text(mechanism, FileAccess::forbidden));
      selection.tried.back().count = count;
    }
  } catch (const ReadError&) {
    return std::nullopt;
  }
  return words.eof() ? std::optional(selection) : std::nullopt;
}

}  // namespace pld
