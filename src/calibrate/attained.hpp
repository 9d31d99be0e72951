#pragma once

#include "pld/calibrate/calibration.hpp"

namespace pld {

/// Reads what compositions attain of goals.
class GoalReader {
 public:
  explicit GoalReader(const CalibrateQuery& query) : query_(query) {}

  /// `tolerance` is the relative width asked of the bracket.
  [[nodiscard]] Attained read(const Composition& composition, const Goal& goal, double tolerance) const;

 private:
  [[nodiscard]] Attained delta_at(const Composition& composition, double epsilon, double tolerance) const;
  [[nodiscard]] Bracket rho(const Composition& composition, double tolerance) const;
  [[nodiscard]] bool is_as_asked(const Finding& log) const;
  [[nodiscard]] Attained power(const Composition& composition, const TestPower& goal, double tolerance) const;

  const CalibrateQuery& query_;
};

}  // namespace pld
