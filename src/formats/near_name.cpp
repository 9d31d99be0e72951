#include "formats/near_name.hpp"

#include <algorithm>
#include <cctype>

#include "formats/synonyms.hpp"

namespace pld {
namespace {

constexpr std::size_t longest = 40;         ///< no name is as long, and no text longer is compared
constexpr std::size_t shortest_begin = 3;   ///< letters that tell which name they begin
constexpr std::size_t letters_an_edit = 3;  ///< one slip is forgiven in so many letters

/// An option's name without its dashes, which tell nothing.
std::string folded(std::string_view text) {
  std::string out(text.starts_with("--") ? text.substr(2) : text);
  for (char& c : out) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// Letters inserted, dropped, changed or swapped with their neighbour between two words (Damerau 1964, each letter
/// touched once).
std::size_t edits_between(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before_last, last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = last;
    last = row;
  }
  return last[b.size()];
}

/// An accepted name, and what follows it to mean what was given.
struct Meant {
  std::string name, with{};
};

/// A name of those accepted that means the same in the field.
Meant synonym_among(const std::string& word, const std::vector<std::string>& accepted) {
  for (const Synonym& synonym : synonyms) {
    if (synonym.word != word) continue;
    const auto found = std::find_if(accepted.begin(), accepted.end(),
                                    [&](const std::string& name) { return folded(name) == synonym.name; });
    if (found != accepted.end()) return {*found, std::string(synonym.with)};
  }
  return {};
}

Meant meant_by(std::string_view given, const std::vector<std::string>& accepted) {
  if (given.empty() || given.size() > longest) return {};
  const std::string word = folded(given);
  const auto same =
      std::find_if(accepted.begin(), accepted.end(), [&](const std::string& name) { return folded(name) == word; });
  if (same != accepted.end()) return {*same};
  Meant synonym = synonym_among(word, accepted);
  if (!synonym.name.empty()) return synonym;
  const auto begun = std::find_if(accepted.begin(), accepted.end(),
                                  [&](const std::string& name) { return folded(name).starts_with(word); });
  if (begun != accepted.end() && word.size() >= shortest_begin) return {*begun};
  std::string nearest;
  std::size_t fewest = word.size() / letters_an_edit + 1;
  for (const std::string& name : accepted) {
    if (const std::size_t edits = edits_between(word, folded(name)); edits < fewest) {
      nearest = name;
      fewest = edits;
    }
  }
  return {nearest};
}

}  // namespace

std::string near_name(std::string_view given, const std::vector<std::string>& accepted) {
  return meant_by(given, accepted).name;
}

std::string did_you_mean(std::string_view given, const std::vector<std::string>& accepted) {
  const Meant meant = meant_by(given, accepted);
  return meant.name.empty() ? meant.name : " (did you mean " + meant.name + meant.with + "?)";
}

}  // namespace pld
