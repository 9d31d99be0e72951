#include "query_options.hpp"

#include <utility>

#include "first_given.hpp"
#include "formats/open_tries.hpp"
#include "formats/query_text.hpp"
#include "formats/read_number.hpp"
#include "formats/tries_text.hpp"
#include "pld/core/errors.hpp"
#include "pld/formats/read_error.hpp"
#include "progress.hpp"

namespace pld::cli {

void QueryOptions::add_to(CLI::App& command, const std::string& default_tolerance) {
  add_composition_to(command);
  constexpr const char* group = "The calculation";
  tolerance_ = default_tolerance;
  command.add_option("--tolerance", tolerance_, "relative width asked of the interval")
      ->capture_default_str()
      ->group(group);
  command.add_option("--direction", direction_, "worst, remove or add")->capture_default_str()->group(group);
  command.add_option("--engine", engine_, "auto, lattice, contour or closed-form")->capture_default_str()->group(group);
  timeout_.add_to(command, "seconds after which the answer is what is known by then: an interval that may be wider")
      ->group(group);
  command.add_flag("--json", json_, "print one JSON object on one line");
}

void QueryOptions::add_digits_to(CLI::App& command) {
  command
      .add_option("--digits", digits_,
                  "significant digits to print, 1 to 17, rounded outward; without it as many as are known")
      ->check([](const std::string& word) {
        return CLI::Range(1, 17)(word).empty() ? "" : "is '" + word + "', but must be a whole number from 1 to 17";
      });
}

void QueryOptions::add_composition_to(CLI::App& command) {
  command_ = command.get_name();
  constexpr const char* group = "What is released";
  command.add_option("mechanism", mechanisms_,
                     "type:key=value,key=value,... (see `pld mechanisms` and `pld help TYPE`)");
  command
      .add_option(
          "--ledger", ledger_.path,
          "JSON file of mechanisms or of an event of dp-accounting, or a budget of `pld ledger` ('-': standard input); "
          "composed with those named")
      ->group(group);
  command
      .add_option(
          "--adjacency", adjacency_,
          "which data sets are neighbours: add-remove (unless the ledger says another), replace-one or zero-out")
      ->group(group);
  command.add_option("--group", group_, "how many records change at once: a user's, a household's (default 1)")
      ->group(group);
  add_tries_to(command, tries_, ": geometric:mean=M, negative-binomial:shape=S,gamma=G or poisson:mean=M")
      ->group(group);
  files_.add_to(command);
  training_.add_to(command);
}

std::vector<QueryOptions::Words> QueryOptions::groups() const {
  if (!names_any())
    throw ReadError("no mechanism given: name one (as in gaussian:sigma=1,count=10) or a --ledger FILE.json");
  std::vector<Words> all(1);
  for (const std::string& word : mechanisms_) {
    if (word == "vs")
      all.emplace_back();
    else
      all.back().push_back(word);
  }
  for (const Words& words : all) {
    if (words.empty() && ledger_.path.empty()) throw ReadError("no mechanism given beside 'vs'");
    if (training_.given() && (words.size() != 1 || !ledger_.path.empty())) throw training_.describes_one();
  }
  return all;
}

std::vector<Entry> QueryOptions::entries_of(const Words& words) const {
  return training_.entries_of(words, files_.access());
}

OrderedJson QueryOptions::assumed() const {
  OrderedJson fields = OrderedJson::object();
  add_assumed_sampler(fields, assumed_sampler_.name());
  ledger_.add_assumed(fields);
  return fields;
}

/// What a composition of these is called; of many mechanisms the first ones are named.
std::string QueryOptions::name_of(const Words& words) const {
  constexpr std::size_t most = 40, first = 3;
  const std::size_t named = words.size() > most ? first : words.size();
  std::string name = tries_.empty() ? "" : "best of " + tries_ + " tries of ";
  if (words.empty()) name += ledger_.name();
  for (std::size_t i = 0; i < named; ++i) name += (i == 0 ? "" : " + ") + words[i];
  return named < words.size() ? name + " + " + std::to_string(words.size() - named) + " more" : name;
}

NamedComposition QueryOptions::named(const Words& words, Composition composition) const {
  NamedComposition out{name_of(words), std::move(composition)};
  std::vector<Entry> entries = entries_of(words);
  for (const Entry& entry : entries) {
    const Release release = release_of(entry);
    out.composition.add(release.mechanism, release.count);
  }
  out.composition = counting_seconds([&] { return pld::selected(out.composition, tries_, command_); });
  entries.insert(entries.end(), ledger_.entries_read().begin(), ledger_.entries_read().end());
  for (const Entry& entry : entries) assumed_sampler_.see({entry});
  return out;
}

Composition QueryOptions::composition() const {
  const auto all = groups();
  if (all.size() > 1) throw ReadError(command_ + ": 'vs' is for pld curve: name one composition");
  return named(all.front(), ledger_.composition(neighbours(), files_.access())).composition;
}

std::vector<NamedComposition> QueryOptions::compositions() const {
  const Composition of_ledger =
      ledger_.composition(neighbours(), files_.access());  // once: standard input is read to its end
  std::vector<NamedComposition> all;
  for (const Words& words : groups()) all.push_back(named(words, of_ledger));
  return all;
}

std::vector<NamedEntries> QueryOptions::open_compositions() const {
  std::vector<NamedEntries> all;
  for (const Words& words : groups()) {
    NamedEntries next{name_of(words), {}};
    for (const std::string& word : words) {
      next.entries.push_back(open_entry_from_text(word, files_.access()));
      if (training_.given()) training_.write_to(next.entries.back());
    }
    for (const Entry& entry : ledger_.entries(neighbours(), files_.access())) next.entries.push_back({entry});
    all.push_back(std::move(next));
  }
  return all;
}

void QueryOptions::say_assumed(const NamedEntries& one) const {
  for (const OpenEntry& entry : one.entries) assumed_sampler_.see(entry);
}

std::vector<OpenEntry> QueryOptions::selected(std::vector<OpenEntry> entries) const {
  return pld::selected(std::move(entries), tries_, command_);
}

std::optional<ShuffledRun> QueryOptions::shuffled_instead() const {
  if (!training_.given() || !tries_.empty()) return std::nullopt;
  return shuffled_instead({entries_of(groups().front()).front()});
}

std::optional<ShuffledRun> QueryOptions::shuffled_instead(const OpenEntry& entry, double value) const {
  if (!training_.given() || !tries_.empty() || neighbours().group.value_or(1) != 1) return std::nullopt;
  return training_.shuffled_instead(entry, value);
}

void QueryOptions::refuse_words_of_none() const {
  const std::string said = first_given({{"--adjacency", !adjacency_.empty()},
                                        {"--group", !group_.empty()},
                                        {"--tries", !tries_.empty()},
                                        {"--dataset-size, or another word of a training run,", training_.given()}});
  if (!said.empty())
    throw ReadError(command_ + ": " + said + " is of mechanisms, of which none is named: name one, or leave it out");
}

void QueryOptions::refuse_tries(const char* belongs_to) const {
  if (!tries_.empty()) throw ReadError(command_ + ": --tries is for " + belongs_to + ": leave it out");
}

std::vector<Entry> QueryOptions::entries() const {
  std::vector<Entry> all = ledger_.entries(neighbours(), files_.access());
  const std::vector<Entry> named = entries_of(groups().front());
  all.insert(all.end(), named.begin(), named.end());
  for (const Entry& entry : all) static_cast<void>(release_of(entry));  // throws for what is out of range
  for (const Entry& entry : all) assumed_sampler_.see({entry});
  return pld::selected(std::move(all), tries_, command_);
}

double QueryOptions::tolerance() const {
  const double tolerance = finite_from_text(tolerance_, command_, "tolerance");
  require(tolerance > 0, command_.c_str(), "tolerance", tolerance, "tolerance > 0 and finite");
  return tolerance;
}

Neighbours QueryOptions::asked_neighbours() const {
  return ledger_.composition(neighbours(), files_.access()).neighbours();
}

AskedNeighbours QueryOptions::neighbours() const {
  AskedNeighbours asked;
  if (!adjacency_.empty()) asked.relation = relation_from_text(adjacency_, command_);
  if (!group_.empty()) asked.group = finite_from_text(group_, command_, "group");
  return asked;
}

DirectionChoice QueryOptions::direction() const { return direction_from_text(direction_, command_); }

Engine QueryOptions::engine() const { return engine_from_text(engine_, command_); }

}  // namespace pld::cli
