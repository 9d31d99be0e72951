#include "pld/ledger/released.hpp"

#include <sys/stat.h>

#include <fstream>
#include <map>
#include <sstream>
#include <utility>

#include "core/standard_arithmetic.hpp"
#include "ledger/budget_lines.hpp"
#include "pld/formats/read_error.hpp"
#include "pld/ledger/budget_file.hpp"

namespace pld {
namespace {

constexpr std::string_view database_begins = "SQLite format 3";

/// Spends by their id, which undos take out.
class Standing {
 public:
  void add(const LedgerRecord& record) {
    if (record.kind == LedgerRecord::Kind::spend) spend(record);
    if (record.kind == LedgerRecord::Kind::undo) undo(record);
  }
  [[nodiscard]] const FilterCount& counted() const { return counted_; }
  [[nodiscard]] std::vector<Entry> releases() && {
    std::vector<Entry> all;
    for (auto& [id, spent] : spends_)
      for (Entry& entry : spent.releases) all.push_back(std::move(entry));
    return all;
  }

 private:
  struct Spent {
    std::vector<Entry> releases;
    std::optional<FilterCount> counts;
  };

  void spend(const LedgerRecord& record) {
    if (record.counts) counted_ = plus(counted_, *record.counts);
    spends_.emplace(record.id, Spent{record.releases, record.counts});
  }
  void undo(const LedgerRecord& record) {
    const auto spent = spends_.find(record.undone);
    if (spent == spends_.end()) throw ReadError("record " + std::to_string(record.id) + " undoes what is not spent");
    if (spent->second.counts) counted_ = minus(counted_, *spent->second.counts);
    spends_.erase(spent);
  }

  std::map<std::int64_t, Spent> spends_;
  FilterCount counted_;
};

void take_rules(const BudgetRules& rules, Released& out) {
  out.neighbours = rules.neighbours;
  out.rules = rules;
  if (rules.kind == BudgetKind::adaptive) out.only_proved = rules.targets;
}

void take_spends(Standing standing, Released& out) {
  out.counted = standing.counted();
  out.releases = std::move(standing).releases();
}

/// "pld-budget" within the first line: no other text of ours has it.
bool begins_a_budget(std::string_view text) {
  constexpr std::size_t longest_header = 100'000;
  const std::string_view line = text.substr(0, text.substr(0, longest_header).find('\n'));
  return line.starts_with('{') && line.find("\"pld-budget\"") != std::string_view::npos;
}

}  // namespace

bool is_database(const std::string& path) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) return false;
  std::ifstream in(path, std::ios::binary);
  std::string begin(database_begins.size(), '\0');
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return in && begin == database_begins;
}

Released released_in_file(const std::string& path) {
  const StandardArithmetic arithmetic;
  Released out;
  Standing standing;
  take_rules(BudgetFile(path).for_each([&](const LedgerRecord& record) { standing.add(record); }), out);
  take_spends(std::move(standing), out);
  return out;
}

std::optional<Released> released_in_text(std::string_view text) {
  const StandardArithmetic arithmetic;
  if (!begins_a_budget(text)) return std::nullopt;
  std::istringstream lines{std::string(text)};
  if (text.find("\"chain\":") > text.find('\n')) {
    OldBudget old = read_old_budget(lines);
    return Released{.neighbours = old.relation, .releases = std::move(old.spent)};
  }
  Released out;
  Standing standing;
  read_budget_lines(lines, {[&](const std::string&, const BudgetRules& rules) { take_rules(rules, out); },
                            [&](const std::string&, const LedgerRecord& record) { standing.add(record); }});
  take_spends(std::move(standing), out);
  return out;
}

}  // namespace pld
