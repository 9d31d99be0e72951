#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pld {

/// A record. body is the JSON of record_text(), or for id 0 of rules_text(); chain is the SHA-256 of the chain before,
/// a line end and the body. A record is found by its token (may be empty) and by the spend that it undoes (may be 0).
struct RecordRow {
  std::int64_t id = 0;
  std::string body{}, chain{}, token{};
  std::int64_t undone = 0;
};

/// What follows from the records. total is bytes, or empty; seal is the SHA-256 of body, a line end and total.
struct StandingRow {
  std::string body, total, seal;
};

/// A kind of release of a plan.
struct PlanRow {
  std::string mechanism;
  std::int64_t planned = 0, made = 0;
  std::string seal;
};

/// The rows of one budget within one transaction of a database. Plain columns of whole numbers, text and bytes: any SQL
/// database can hold them. What is read is not to be trusted, which is BudgetStore's to verify. Whoever opens the
/// transaction for a change keeps all others from changing until its end, and commits.
class BudgetRows {
 public:
  BudgetRows() = default;
  BudgetRows(const BudgetRows&) = delete;
  BudgetRows& operator=(const BudgetRows&) = delete;
  virtual ~BudgetRows() = default;

  /// What the budget is called in messages.
  [[nodiscard]] virtual std::string name() const = 0;
  /// Throws ReadError unless there is a budget.
  virtual void require_budget() = 0;
  /// The database's own check of itself, where it has one. Throws ReadError with what it says.
  virtual void require_sound() {}

  [[nodiscard]] virtual std::optional<RecordRow> record(std::int64_t id) = 0;
  [[nodiscard]] virtual std::optional<RecordRow> last_record() = 0;
  [[nodiscard]] virtual std::optional<std::int64_t> id_with_token(const std::string& token) = 0;
  [[nodiscard]] virtual std::optional<std::int64_t> undo_of(std::int64_t id) = 0;
  /// From id 1 on, by their ids.
  virtual void for_each_record(const std::function<void(const RecordRow&)>& each) = 0;
  virtual void insert(const RecordRow& row) = 0;

  [[nodiscard]] virtual std::optional<StandingRow> standing() = 0;
  virtual void write(const StandingRow& row) = 0;

  [[nodiscard]] virtual std::optional<PlanRow> plan_row(const std::string& mechanism) = 0;
  [[nodiscard]] virtual std::vector<PlanRow> plan() = 0;  ///< by the bytes of their mechanisms
  virtual void write(const PlanRow& row) = 0;
};

}  // namespace pld
