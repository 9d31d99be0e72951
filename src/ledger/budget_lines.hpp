#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <vector>

#include "pld/ledger/budget.hpp"

namespace pld {

/// A record's JSON with its link of the chain as the last field: a line of an export.
[[nodiscard]] std::string with_chain(const std::string& body, const std::string& chain);

/// The line after the last record, with a link of its own: an export cut short lacks it.
[[nodiscard]] std::string end_line(std::int64_t records, const std::string& head);

/// The first line is the budget itself. Both get the JSON as it was exported.
struct BudgetLineReaders {
  std::function<void(const std::string& body, const BudgetRules& rules)> rules;
  std::function<void(const std::string& body, const LedgerRecord& record)> record;
};

/// Reads an export, every link verified, record by record. Throws RefusedLine for anything else.
void read_budget_lines(std::istream& lines, const BudgetLineReaders& readers);

/// What stands of a budget as it was kept before there were kinds of them: {"pld-budget": 1, "epsilon": 2, "delta":
/// 1e-6}, then {"spend": {...}} or {"undo": 1} for the last spend still standing.
struct OldBudget {
  Target target;
  Relation relation = Relation::add_remove;
  std::vector<Entry> spent{};
};
[[nodiscard]] OldBudget read_old_budget(std::istream& lines);

}  // namespace pld
