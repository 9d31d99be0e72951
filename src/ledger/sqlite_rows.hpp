#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "ledger/budget_rows.hpp"
#include "ledger/database.hpp"

namespace pld {

/// A budget that is all of one SQLite database: tables `record`, `standing` and `plan`, a row of it for each mechanism.
class SqliteRows : public BudgetRows {
 public:
  SqliteRows(const std::string& path, Database::Mode mode, std::chrono::milliseconds patience);

  [[nodiscard]] const Database& database() const { return database_; }

  [[nodiscard]] std::string name() const override;
  void require_budget() override;
  void require_sound() override;
  [[nodiscard]] std::optional<RecordRow> record(std::int64_t id) override;
  [[nodiscard]] std::optional<RecordRow> last_record() override;
  [[nodiscard]] std::optional<std::int64_t> id_with_token(const std::string& token) override;
  [[nodiscard]] std::optional<std::int64_t> undo_of(std::int64_t id) override;
  void for_each_record(const std::function<void(const RecordRow&)>& each) override;
  void insert(const RecordRow& row) override;
  [[nodiscard]] std::optional<StandingRow> standing() override;
  void write(const StandingRow& row) override;
  [[nodiscard]] std::optional<PlanRow> plan_row(const std::string& mechanism) override;
  [[nodiscard]] std::vector<PlanRow> plan() override;
  void write(const PlanRow& row) override;

 private:
  void make_tables();

  std::string path_;
  Database database_;
};

}  // namespace pld
