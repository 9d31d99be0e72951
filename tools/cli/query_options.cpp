#include "query_options.hpp"

#include <utility>

#include "pld/formats/mechanism_text.hpp"
#include "pld/formats/query_text.hpp"
#include "pld/formats/read_error.hpp"
#include "pld/formats/read_number.hpp"

namespace pld::cli {

void QueryOptions::add_to(CLI::App& command, const std::string& default_tolerance) {
  command_ = command.get_name();
  tolerance_ = default_tolerance;
  command.add_option("mechanism", mechanisms_,
                     "type:key=value,key=value,... (see `pld mechanisms` and `pld help TYPE`)");
  command.add_option(
      "--ledger", ledger_.path,
      "JSON file of mechanisms, or a budget of `pld ledger` ('-': standard input); composed with those named");
  files_.add_to(command);
  command.add_option("--adjacency", adjacency_,
                     "which data sets are neighbours: add-remove (default), replace-one or zero-out");
  command.add_option("--group", group_, "how many records change at once: a user's, a household's (default 1)");
  command.add_option("--tolerance", tolerance_, "relative width asked of the bracket")->capture_default_str();
  command.add_option("--direction", direction_, "worst, remove or add")->capture_default_str();
  command.add_option("--engine", engine_, "auto, lattice, contour or closed-form")->capture_default_str();
  command.add_flag("--json", json_, "print one JSON object on one line");
}

Composition QueryOptions::composition() const {
  if (!names_any()) {
    throw ReadError("no mechanism given: name one (as in gaussian:sigma=1,count=10) or a --ledger FILE.json");
  }
  Composition composition = ledger_.composition(neighbours(), files_.access());
  for (const std::string& word : mechanisms_) {
    const Release release = release_of(entry_from_text(word, files_.access()));
    composition.add(release.mechanism, release.count);
  }
  return composition;
}

std::vector<NamedComposition> QueryOptions::compositions() const {
  std::vector<NamedComposition> all;
  const Composition of_ledger =
      ledger_.composition(neighbours(), files_.access());  // once: standard input is read to its end
  auto word = mechanisms_.begin();
  while (true) {
    NamedComposition next{ledger_.path, of_ledger};
    for (; word != mechanisms_.end() && *word != "vs"; ++word) {
      const Release release = release_of(entry_from_text(*word, files_.access()));
      next.composition.add(release.mechanism, release.count);
      next.name += (next.name.empty() ? "" : " + ") + *word;
    }
    if (next.name.empty())
      throw ReadError("no mechanism given: name one (as in gaussian:sigma=1,count=10) or a --ledger FILE.json");
    all.push_back(std::move(next));
    if (word == mechanisms_.end()) return all;
    ++word;
  }
}

std::vector<Entry> QueryOptions::entries() const {
  std::vector<Entry> entries = ledger_.entries(files_.access());
  for (const std::string& word : mechanisms_) entries.push_back(entry_from_text(word, files_.access()));
  return entries;
}

double QueryOptions::tolerance() const { return finite_from_text(tolerance_, command_, "tolerance"); }

AskedNeighbours QueryOptions::neighbours() const {
  AskedNeighbours asked;
  if (!adjacency_.empty()) asked.relation = relation_from_text(adjacency_, command_);
  if (!group_.empty()) asked.group = finite_from_text(group_, command_, "group");
  return asked;
}

DirectionChoice QueryOptions::direction() const { return direction_from_text(direction_, command_); }

Engine QueryOptions::engine() const { return engine_from_text(engine_, command_); }

}  // namespace pld::cli
