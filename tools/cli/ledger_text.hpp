#pragma once

#include <string>

#include "ledger/ledger_json.hpp"

namespace pld::cli {

// What `pld ledger` prints for a person; ledger/ledger_json.hpp has the same as JSON.

/// A budget's kind, targets and filter.
[[nodiscard]] std::string page(const BudgetRules& rules);

/// What to do where releases are samples of the data, of which a budget's filter adds up more than they lose; empty
/// where it does not.
[[nodiscard]] std::string advice_on_samples(const BudgetRules& rules);

/// Where a budget stands.
[[nodiscard]] std::string page(const LedgerStatus& status, const Room& room);

/// The answer to a request to spend.
[[nodiscard]] std::string page(const Spending& spending);

/// The number that an adaptive budget takes of releases in which it was open.
[[nodiscard]] std::string page(const NamedUnknown& unknown, const FilterCalibration& found, const BudgetRules& rules);

/// What the filter says of a value: "takes it (rho <= 0.01 of 0.02, by this 0.005)", "refuses it: ...".
[[nodiscard]] std::string verdict(const FilteredValue& found, const BudgetRules& rules);

/// One line of a list.
[[nodiscard]] std::string line(const LedgerRecord& record, const BudgetRules& rules);

}  // namespace pld::cli
