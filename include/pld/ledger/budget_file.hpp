#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "pld/ledger/budget.hpp"
#include "pld/ledger/ledger_failure.hpp"
#include "pld/ledger/ledger_status.hpp"
#include "pld/ledger/spending.hpp"

namespace pld {

/// A budget and what was spent of it, in a file of SQLite's (version 3): records that are only ever added, each chained
/// to the one before by SHA-256, and sums, so that a spend costs what it adds.
///
/// Changes are transactions that are on the disk when they return: killed at any moment, they leave the file as it was
/// or as it is to be. Several processes take turns. Every call may be made by several threads at once. All throw
/// ReadError for files that are missing, damaged or no budgets; LedgerFailure for disks and locks that fail;
/// DomainError for mechanisms out of range or that the budget's rule cannot take.
class BudgetFile {
 public:
  /// Waits up to `patience` for other processes.
  explicit BudgetFile(std::string path, std::chrono::milliseconds patience = std::chrono::seconds(30));

  /// Starts a file; of a planned budget `plan` is all that will ever be released. Throws ReadError where there is a
  /// file, DomainError where the plan exceeds a target.
  void init(const BudgetRules& rules, const std::vector<Entry>& plan = {}) const;

  /// Records the releases before they are made, or refuses them. Only what is recorded may be released.
  [[nodiscard]] Spending spend(const SpendRequest& request) const;

  /// Takes a spend back that was in the end not released; it stays in the ledger as undone. Reads the whole ledger.
  /// Returns the record of the undo: asked again, of the earlier one. Throws ReadError unless `id` is a spend.
  std::int64_t undo(std::int64_t id) const;

  /// The budget itself, which never changes.
  [[nodiscard]] BudgetRules rules() const;

  /// Reads and verifies the whole ledger.
  [[nodiscard]] LedgerStatus status() const;

  /// Every record, in order; `standing` tells which spends are undone. Returns the budget's rules.
  BudgetRules for_each(const std::function<void(const LedgerRecord&)>& each) const;

  /// The ledger as lines of JSON: the budget, the records, {"end": how many}, each with its link of the chain.
  void export_lines(const std::function<void(std::string_view)>& write) const;

  /// Starts a file from such lines, all of which are verified. Returns the rules. Throws RefusedLine.
  BudgetRules import_lines(std::istream& lines) const;

  /// Starts a file from a budget as it was kept before there were kinds of them ({"pld-budget": 1, ...}): what stands
  /// of it is the plan, all of it made, or is recorded as spent whatever the filter says of it. `filter` is asked for
  /// the filter of its targets.
  BudgetRules import_old(std::istream& lines, BudgetKind kind,
                         const std::function<PrivacyFilter(const std::vector<Goal>& targets)>& filter) const;

 private:
  std::string path_;
  std::chrono::milliseconds patience_;
};

}  // namespace pld
