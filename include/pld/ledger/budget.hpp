#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pld/calibrate/goal.hpp"
#include "pld/core/neighbours.hpp"
#include "pld/formats/entry.hpp"
#include "pld/ledger/privacy_filter.hpp"

namespace pld {

/// How the releases of a budget are chosen, which decides what is proved of them (docs/budgets.md).
enum class BudgetKind {
  planned,   ///< all mechanisms and parameters are listed before the first release: full composition applies
  adaptive,  ///< parameters may depend on what earlier releases gave out: a privacy filter decides
};

/// "adaptive", "planned"; and back: throws ReadError for anything else.
[[nodiscard]] const char* name(BudgetKind kind);
[[nodiscard]] std::vector<std::string> budget_kind_names();
[[nodiscard]] BudgetKind budget_kind_from_text(const std::string& text);

/// What a budget promises, and by which rule it is kept.
struct BudgetRules {
  BudgetKind kind = BudgetKind::adaptive;
  Neighbours neighbours{};
  std::vector<Goal> targets{};  ///< of Target, ZeroConcentratedDp and GaussianDp: all that is released meets each
  PrivacyFilter filter{};       ///< of adaptive budgets
};

/// Throws DomainError for rules no budget can have: no target, one of another kind, or out of range.
void require_valid(const BudgetRules& rules);

/// One line of a ledger.
struct LedgerRecord {
  enum class Kind { plan, spend, undo };
  std::int64_t id = 0;  ///< 1, 2, ...; 0 is the budget itself
  Kind kind = Kind::spend;
  std::vector<Entry> releases{};  ///< planned or spent, all at once
  std::int64_t undone = 0;        ///< the spend that an undo takes back
  std::string time{};             ///< when it was made, by the clock of who made it; empty where nobody wrote it down
  std::string name{}, note{};
  std::string token{};                  ///< the caller's own name of a spend, empty where there is none
  std::optional<FilterCount> counts{};  ///< what a spend adds to the sums of an adaptive budget
  double counted = 0;                   ///< the sum of losses after it, as a double above
  std::vector<double> composed{};       ///< see Spending::composed
  bool standing = true;                 ///< not undone
};

/// A kind of release of a plan.
struct PlanItem {
  std::string mechanism;  ///< its canonical text
  std::int64_t planned = 0, made = 0;
};

}  // namespace pld
