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
    if (record.kind == LedgerRecord::Kind::spend) spends_.emplace(record.id, record.releases);
    if (record.kind == LedgerRecord::Kind::undo && spends_.erase(record.undone) == 0)
      throw ReadError("record " + std::to_string(record.id) + " undoes what is not spent");
  }
  [[nodiscard]] std::vector<Entry> releases() && {
    std::vector<Entry> all;
    for (auto& [id, releases] : spends_)
      for (Entry& entry : releases) all.push_back(std::move(entry));
    return all;
  }

 private:
  std::map<std::int64_t, std::vector<Entry>> spends_;
};

void take_rules(const BudgetRules& rules, Released& out) {
  out.neighbours = rules.neighbours;
  if (rules.kind == BudgetKind::adaptive) out.only_proved = rules.targets;
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
  out.releases = std::move(standing).releases();
  return out;
}

std::optional<Released> released_in_text(std::string_view text) {
  const StandardArithmetic arithmetic;
  if (!begins_a_budget(text)) return std::nullopt;
  std::istringstream lines{std::string(text)};
  if (text.find("\"chain\":") > text.find('\n')) {
    OldBudget old = read_old_budget(lines);
    return Released{old.relation, std::move(old.spent), {}};
  }
  Released out;
  Standing standing;
  read_budget_lines(lines, {[&](const std::string&, const BudgetRules& rules) { take_rules(rules, out); },
                            [&](const std::string&, const LedgerRecord& record) { standing.add(record); }});
  out.releases = std::move(standing).releases();
  return out;
}

}  // namespace pld
