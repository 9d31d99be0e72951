#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "ledger/database.hpp"
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

/// The tables of a budget are `record`, `standing` and `plan`, a row for each mechanism of a plan. In a record, body is
/// the JSON of record_text(), or for id 0 of rules_text(). chain is the SHA-256 of the chain before, a line end and the
/// body; a record is found by token and undone. Plain columns of whole numbers, text and bytes: any other SQL
/// database holds the same.
///
/// Whatever is read is verified: rows changed, dropped, doubled or moved are refused with ReadError.
class BudgetStore {
 public:
  BudgetStore(const std::string& path, Database::Mode mode, std::chrono::milliseconds patience);

  [[nodiscard]] const Database& database() const { return database_; }

  /// The header, read once.
  [[nodiscard]] const BudgetRules& rules();
  [[nodiscard]] const std::string& rules_line();

  void write_rules(const std::string& line);

  /// Read with the last record, which must be the chain's.
  [[nodiscard]] Standing standing();
  void write(const Standing& standing);

  /// Chains and inserts a record, whose id is standing.records + 1, and moves the head. `body` is its record_text().
  void append(const LedgerRecord& record, const std::string& body, Standing& standing);

  /// A record, its link of the chain verified, and whether it still stands; by its id, or a token.
  [[nodiscard]] std::optional<LedgerRecord> record(std::int64_t id);
  [[nodiscard]] std::optional<LedgerRecord> with_token(const std::string& token);

  /// Every record from the first, in order, each link verified, to the head.
  using Each = std::function<void(const LedgerRecord& record, const std::string& body, const std::string& chain)>;
  void for_each(const Standing& standing, const Each& each);

  [[nodiscard]] std::optional<PlanItem> plan_item(const std::string& mechanism);
  void write(const PlanItem& item);
  [[nodiscard]] std::vector<PlanItem> plan();

  /// SQLite's own check of the whole file, and every link.
  void require_sound(const Standing& standing);

  [[noreturn]] void refuse_damaged(const std::string& what) const;

  [[nodiscard]] static std::string link(const std::string& before, const std::string& body);

 private:
  [[nodiscard]] std::string seal_of(const PlanItem& item);
  [[nodiscard]] std::string chain_of(std::int64_t id);
  [[nodiscard]] LedgerRecord record_of(std::int64_t id, const std::string& body) const;
  [[nodiscard]] PlanItem item_from(const Statement& row);
  void for_each_row(const Standing& standing, const std::function<void(const Statement& row)>& each);
  void make_tables();
  void require_tables() const;

  std::string path_;
  Database database_;
  std::optional<BudgetRules> rules_;
  std::string rules_line_, first_link_;
};

}  // namespace pld
