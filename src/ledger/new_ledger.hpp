#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "ledger/budget_store.hpp"

namespace pld {

/// Makes a ledger's file, whole or not at all: `fill` writes to it before it has its name. Throws ReadError where there
/// is such a file, LedgerFailure.
void start_ledger(const std::string& path, std::chrono::milliseconds patience,
                  const std::function<void(BudgetStore&)>& fill);

/// The budget itself, and of a planned one its plan: the first records.
void write_start(BudgetStore& store, const BudgetRules& rules, const std::vector<Entry>& plan, Standing& standing);

}  // namespace pld
