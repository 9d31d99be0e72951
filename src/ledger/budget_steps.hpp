#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "ledger/budget_lines.hpp"
#include "ledger/budget_store.hpp"
#include "pld/ledger/ledger_status.hpp"
#include "pld/ledger/spending.hpp"

namespace pld {

// What is asked of a budget, each within one transaction of whichever database holds it: who opened the transaction
// commits. Throws as BudgetFile does, but for LedgerFailure.

/// A record to be committed, and its link of the chain; id 0 where there is none.
struct Appended {
  std::int64_t id = 0;
  std::string link{};
};

/// Writes the budget itself and, of a planned one, its plan.
void start_budget(BudgetStore& store, const BudgetRules& rules, const std::vector<Entry>& plan);

/// The same before its sums are known, which are left to the caller to write.
void write_start(BudgetStore& store, const BudgetRules& rules, const std::vector<Entry>& plan, Standing& standing);

/// Asks the budget's rule, and records where it accepts. `spending` is the answer.
Appended spend(BudgetStore& store, const SpendRequest& request, Spending& spending);

/// Takes a spend back; `record` is the one that does, of an earlier request where there was one.
Appended undo(BudgetStore& store, std::int64_t id, std::int64_t& record);

/// The sums that a spend of an adaptive budget goes by, verified as for one.
[[nodiscard]] FilterCount standing_count(BudgetStore& store);

// These read and verify all of it.
[[nodiscard]] LedgerStatus status(BudgetStore& store);
void for_each_record(BudgetStore& store, const std::function<void(const LedgerRecord&)>& each);
void export_lines(BudgetStore& store, const std::function<void(std::string_view)>& write);

/// Writes a budget from the lines of an export, all of which are verified.
void import_lines(BudgetStore& store, std::istream& lines);

/// The same from a budget as it was kept before there were kinds of them, see BudgetFile::import_old().
void import_old(BudgetStore& store, const OldBudget& old, const BudgetRules& rules);

/// How many more of such a release fit.
[[nodiscard]] std::int64_t room_for(const Entry& entry, const LedgerStatus& status);

}  // namespace pld
