#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ledger/budget_store.hpp"
#include "pld/ledger/spending.hpp"

namespace pld {

// Who decides what may be spent: the filter of an adaptive budget, the plan of a planned one.

/// A spend of an adaptive budget. The filter decides, on its own; where it accepts, `record` and `standing` get what
/// the spend counts for. Throws DomainError for releases that the filter cannot take.
[[nodiscard]] Spending counted(Standing& standing, const BudgetRules& rules, LedgerRecord& record);

/// A spend of a planned budget: what the plan has left is made.
[[nodiscard]] Spending made(BudgetStore& store, const Standing& standing, const LedgerRecord& record);

/// Makes the record's releases of the plan, or (`times` = -1) takes them back. Says what is beyond the plan, where
/// something is; the rows may be changed by then.
[[nodiscard]] std::optional<std::string> make(BudgetStore& store, const LedgerRecord& record, int times);

/// Throws DomainError for a plan that exceeds a target. Returns the composed deltas, see Spending::composed.
[[nodiscard]] std::vector<double> require_within(const std::vector<Entry>& plan, const BudgetRules& rules);

/// Why the filter does not let the sum be; nothing where it does.
[[nodiscard]] std::optional<std::string> refusal_by_filter(const FilterCount& sum, const PrivacyFilter& filter);

/// What the releases count for under the filter of the rules.
[[nodiscard]] FilterCount counts_of(const std::vector<Entry>& entries, const BudgetRules& rules);

/// How many there are of each kind of release, by its canonical text.
[[nodiscard]] std::map<std::string, std::int64_t> by_kind(const std::vector<Entry>& entries);

/// Adds the releases to a running total or a composition.
template <class Total>
void add_to(Total& total, const std::vector<Entry>& entries) {
  for (const Entry& entry : entries) total.add(release_of(entry).mechanism, entry.count);
}

/// The same, but for a total that would not stay small: there is none then.
void keep(std::optional<RunningTotal>& total, const std::vector<Entry>& entries);

}  // namespace pld
