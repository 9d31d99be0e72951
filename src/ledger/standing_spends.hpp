#pragma once

#include <cstdint>
#include <optional>
#include <unordered_set>

#include "ledger/budget_store.hpp"
#include "pld/account/running_total.hpp"

namespace pld {

/// Which spends no undo takes back. Reads the whole ledger.
class StandingSpends {
 public:
  StandingSpends(BudgetStore& store, const Standing& standing);

  [[nodiscard]] bool has(const LedgerRecord& record) const {
    return record.kind == LedgerRecord::Kind::spend && !undone_.contains(record.id);
  }

  /// All of them composed, but for one (0: none).
  [[nodiscard]] RunningTotal total(std::int64_t without = 0) const;
  /// The same where it stays small; nothing else.
  [[nodiscard]] std::optional<RunningTotal> small_total(std::int64_t without = 0) const;

 private:
  template <class Add>
  void for_each(std::int64_t without, const Add& add) const;

  BudgetStore& store_;
  const Standing& standing_;
  std::unordered_set<std::int64_t> undone_;
};

}  // namespace pld
