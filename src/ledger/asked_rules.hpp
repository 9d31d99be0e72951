#pragma once

#include <optional>
#include <vector>

#include "pld/ledger/budget.hpp"

namespace pld {

/// How the filter of an adaptive budget is asked for: what is left open is chosen.
struct AskedFilter {
  std::optional<FilterKind> kind{};
  std::optional<double> order{}, reserve{};
};

/// The filter asked for; where neither it nor an order is, the best for the `expected` releases, or with none expected
/// the usual one. Throws DomainError as filter_for() and best_filter() do.
[[nodiscard]] PrivacyFilter asked_filter(const AskedFilter& asked, const std::vector<Goal>& targets,
                                         const Neighbours& neighbours, const std::vector<Entry>& expected);

/// Rules whose filter is that. Throws DomainError where no budget can have them, ReadError for a filter of a plan.
[[nodiscard]] BudgetRules asked_rules(BudgetRules rules, const AskedFilter& asked, const std::vector<Entry>& expected);

}  // namespace pld
