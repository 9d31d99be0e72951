#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pld/formats/entry.hpp"
#include "pld/ledger/budget.hpp"

namespace pld {

/// What is to be released.
struct SpendRequest {
  std::vector<Entry> releases;  ///< one or more: all are spent, or none
  std::string token{};          ///< the caller's name of this spend: asked again, it is not spent again
  std::string name{}, note{};   ///< for people
};

/// The answer to a request. Asked again with its token, it is the same.
struct Spending {
  bool accepted = false;  ///< recorded; else nothing is
  bool repeated = false;  ///< by an earlier request with the same token
  std::int64_t id = 0;    ///< of the record, for undo
  BudgetRules rules{};    ///< of the budget that was asked
  std::string refusal{};  ///< one line, where it is not accepted
  /// In adaptive budgets: the release's share of the filter's sum and the sum with it, as doubles above.
  double counts = 0, counted = 0;
  /// The same of the deltas that releases have of their own; of a repeated request not known.
  double delta_counts = 0, delta_counted = 0;
  /// Upper ends of delta at the epsilon of each of the budget's targets that has one: what all is together if it was
  /// fixed in advance. In an adaptive budget it decides nothing, and is left out (empty) where it would take long: with
  /// other noise than Gaussian, beyond a thousand releases or four kinds; LedgerStatus has it then.
  std::vector<double> composed{};
};

}  // namespace pld
