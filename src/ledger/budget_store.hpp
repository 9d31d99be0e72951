#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "ledger/budget_rows.hpp"
#include "pld/account/running_total.hpp"
#include "pld/ledger/budget.hpp"

namespace pld {

/// What a spend goes by, so that it need not read the ledger: derived from the records, and sealed by a checksum.
struct Standing {
  std::int64_t records = 0;             ///< plans, spends and undos
  std::int64_t spends = 0;              ///< those that stand
  std::string head{};                   ///< the chain's last link
  FilterCount counted{};                ///< of adaptive budgets
  std::vector<double> composed{};       ///< of a plan: upper ends of delta at each target's epsilon
  std::optional<RunningTotal> total{};  ///< of adaptive budgets, while it is small; else the records have to be read
};

/// A budget's rows, verified: what is changed, dropped, doubled or moved is refused with ReadError. So are rows of
/// another budget, which another chain goes through.
class BudgetStore {
 public:
  /// `rows` must outlive it.
  explicit BudgetStore(BudgetRows& rows) : rows_(rows) {}

  /// The header, read once.
  [[nodiscard]] const BudgetRules& rules();
  [[nodiscard]] const std::string& rules_line();

  void write_rules(const std::string& line);

  /// Read with the last record, which must be the chain's.
  [[nodiscard]] Standing standing();
  void write(const Standing& standing);

  /// Chains and inserts a record, whose id is standing.records + 1, and moves the head. `body` is its record_text().
  void append(const LedgerRecord& record, const std::string& body, Standing& standing);

  /// A record, its link of the chain verified, and whether it still stands; by its id, a token, or the spend it undoes.
  [[nodiscard]] std::optional<LedgerRecord> record(std::int64_t id);
  [[nodiscard]] std::optional<LedgerRecord> with_token(const std::string& token);
  [[nodiscard]] std::optional<LedgerRecord> undo_of(std::int64_t id);

  /// Every record from the first, in order, each link verified, to the head.
  using Each = std::function<void(const LedgerRecord& record, const std::string& body, const std::string& chain)>;
  void for_each(const Standing& standing, const Each& each);

  [[nodiscard]] std::optional<PlanItem> plan_item(const std::string& mechanism);
  void write(const PlanItem& item);
  [[nodiscard]] std::vector<PlanItem> plan();

  /// The database's own check of itself, and every link.
  void require_sound(const Standing& standing);

  [[noreturn]] void refuse_damaged(const std::string& what) const;

  [[nodiscard]] static std::string link(const std::string& before, const std::string& body);

 private:
  [[nodiscard]] std::string seal_of(const PlanItem& item) const;
  [[nodiscard]] std::string chain_of(std::int64_t id);
  [[nodiscard]] LedgerRecord record_of(std::int64_t id, const std::string& body) const;
  [[nodiscard]] Standing sums_of(const StandingRow& row) const;
  [[nodiscard]] PlanItem item_from(const PlanRow& row) const;
  void for_each_row(const Standing& standing, const std::function<void(const RecordRow& row)>& each);

  BudgetRows& rows_;
  std::optional<BudgetRules> rules_;
  std::string rules_line_, first_link_;
};

}  // namespace pld
