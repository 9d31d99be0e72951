#pragma once

#include <string>
#include <vector>

#include "pld/ledger/budget_file.hpp"

namespace pld::cli {

// What `pld ledger` prints: for a person (lines), and as one JSON object (without the line's end).

/// A budget's kind, targets and filter.
[[nodiscard]] std::string page(const BudgetRules& rules);
[[nodiscard]] std::string json_text(const BudgetRules& rules);

/// Where a budget stands. `mechanism` (may be empty) is asked how many more of it fit, which is `room`.
struct Room {
  std::string mechanism;
  std::int64_t count = 0;
};
[[nodiscard]] std::string page(const LedgerStatus& status, const Room& room);
[[nodiscard]] std::string json_text(const LedgerStatus& status, const Room& room);

/// The answer to a request to spend.
[[nodiscard]] std::string page(const Spending& spending);
[[nodiscard]] std::string json_text(const Spending& spending, const std::vector<Entry>& releases);

/// One line of a list.
[[nodiscard]] std::string line(const LedgerRecord& record, const BudgetRules& rules);
[[nodiscard]] std::string json_text(const LedgerRecord& record);

}  // namespace pld::cli
