#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "ledger/budget_store.hpp"

namespace pld {

/// Makes a ledger's file, whole or not at all: `fill` writes to it before it has its name. Throws ReadError where there
/// is such a file, LedgerFailure.
void start_ledger(const std::string& path, std::chrono::milliseconds patience,
                  const std::function<void(BudgetStore&)>& fill);

}  // namespace pld
