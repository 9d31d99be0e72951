#include "ledger_input.hpp"

#include <unistd.h>

#include <iostream>
#include <utility>

#include "core/number_text.hpp"
#include "core/printable.hpp"
#include "formats/strict_json.hpp"
#include "formats/text_file.hpp"
#include "formats/told_with_place.hpp"
#include "pld/formats/composition_json.hpp"
#include "pld/formats/read_error.hpp"

namespace pld::cli {

namespace {

void require_relation(const Released& budget, const std::string& input, const AskedNeighbours& asked) {
  const Relation relation = budget.neighbours.relation;
  if (asked.relation && *asked.relation != relation)
    throw ReadError(input, "adjacency", std::string("'") + name(relation) + "'",
                    std::string(name(*asked.relation)) + ", as was asked for");
}

void require_group(const Released& budget, const std::string& input, const AskedNeighbours& asked) {
  const int group = budget.neighbours.group;
  if (asked.group && *asked.group != group)
    throw ReadError(input, "group", std::to_string(group), number_text(*asked.group) + ", as was asked for");
}

/// Lets groups be asked about where the budget is of single records.
Composition composition_of(const Released& budget, const std::string& input, const AskedNeighbours& asked) {
  require_relation(budget, input, asked);
  if (budget.neighbours.group != 1) require_group(budget, input, asked);
  Composition all(asked.group ? AskedNeighbours(budget.neighbours.relation, asked.group).neighbours()
                              : budget.neighbours);
  for (const Entry& entry : budget.releases) {
    const Release release = release_of(entry);
    all.add(release.mechanism, release.count);
  }
  return all;
}

}  // namespace

std::string name_of_input(const std::string& path) { return path == "-" ? "standard input" : path; }

void LedgerInput::read() {
  if (text_ || budget_) return;
  if (path != "-" && is_database(path)) {
    budget_ = released_in_file(path);
    return;
  }
  auto text = path == "-" ? text_of_descriptor(STDIN_FILENO, name()) : text_of_input(path);
  if (!text) throw ReadError("ledger: '" + path + "' does not exist");
  try {
    budget_ = released_in_text(*text);
  } catch (const ReadError& error) {
    throw ReadError(name() + ", " + error.what());
  }
  if (!budget_) require_json(*text, name());
  text_ = std::move(text);
}

template <class Read>
auto LedgerInput::of_text(const Read& read_text) {
  return told_with_place(name(), [&] { return read_text(*text_); });
}

void LedgerInput::say_if_adaptive() {
  if (!composes_adaptive() || std::exchange(said_, true)) return;
  std::cerr << "pld: note: " << printable(name())
            << " is an adaptive budget, whose spends are composed here as if fixed in advance: of them only its target "
               "is proved";
  for (const Goal& goal : budget_->only_proved)
    std::cerr << ", " << quantity_of(goal) << " <= " << number_text(limit_of(goal));
  std::cerr << '\n';
}

Composition LedgerInput::composition(const AskedNeighbours& asked, FileAccess files) {
  if (path.empty()) return Composition(asked.neighbours());
  read();
  if (budget_) {
    Composition all = composition_of(*budget_, name(), asked);
    entries_ = budget_->releases;
    say_if_adaptive();
    return all;
  }
  auto [composition, entries] = of_text([&](const std::string& text) { return read_composition(text, asked, files); });
  entries_ = std::move(entries);
  return composition;
}

std::vector<Entry> LedgerInput::entries(const AskedNeighbours& asked, FileAccess files) {
  if (path.empty()) return {};
  read();
  if (budget_) return budget_->releases;
  return of_text([&](const std::string& text) { return entries_from_json(text, asked, files); });
}

const Released* LedgerInput::budget(const AskedNeighbours& asked) {
  if (path.empty()) return nullptr;
  read();
  if (!budget_) return nullptr;
  require_relation(*budget_, name(), asked);
  require_group(*budget_, name(), asked);
  return &*budget_;
}

ReadOpenEntries LedgerInput::open_entries(const AskedNeighbours& asked, FileAccess files) {
  if (path.empty()) return {asked.neighbours(), {}};
  read();
  if (!budget_) return of_text([&](const std::string& text) { return read_open_entries(text, asked, files); });
  ReadOpenEntries all{composition(asked, files).neighbours(), {}};
  for (const Entry& entry : budget_->releases) all.entries.push_back({entry});
  return all;
}

}  // namespace pld::cli
