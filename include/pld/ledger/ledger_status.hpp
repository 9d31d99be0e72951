#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pld/account/running_total.hpp"
#include "pld/ledger/budget.hpp"

namespace pld {

/// Where a budget stands.
struct LedgerStatus {
  BudgetRules rules;
  std::int64_t records = 0;  ///< lines of the ledger
  std::int64_t spends = 0;   ///< those that stand
  std::string head;          ///< SHA-256 of all of them: of two states of a ledger, tells whether they are the same
  FilterCount counted;       ///< of adaptive budgets
  std::vector<PlanItem> plan{};
  RunningTotal spent;  ///< everything that stands, composed
};

}  // namespace pld
