#pragma once

#include <optional>

#include "pld/calibrate/calibration.hpp"

namespace pld {

/// Reads what compositions attain of goals. Remembers in which direction tests were the more powerful.
class GoalReader {
 public:
  explicit GoalReader(const CalibrateQuery& query) : query_(query) {}

  /// `tolerance` is the relative width asked of the bracket; above the query's, the answer may be that of the direction
  /// which was the worse one before.
  [[nodiscard]] Attained read(const Composition& composition, const Goal& goal, double tolerance);

 private:
  [[nodiscard]] Attained delta_at(const Composition& composition, double epsilon, double tolerance) const;
  [[nodiscard]] Bracket rho(const Composition& composition, double tolerance) const;
  [[nodiscard]] Attained power(const Composition& composition, const TestPower& goal, double tolerance);

  const CalibrateQuery& query_;
  std::optional<Direction> worse_;
};

}  // namespace pld
