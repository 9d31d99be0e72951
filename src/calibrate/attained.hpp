#pragma once

#include <map>
#include <utility>

#include "pld/calibrate/calibrate.hpp"

namespace pld {

/// Reads what compositions attain of goals. Remembers where the best tests lay, which is where a similar composition is
/// asked first.
class GoalReader {
 public:
  explicit GoalReader(const CalibrateQuery& query) : query_(query) {}

  /// `tolerance` is the relative width asked of the bracket.
  [[nodiscard]] Attained read(const Composition& composition, const Goal& goal, double tolerance);

 private:
  [[nodiscard]] Attained delta_at(const Composition& composition, double epsilon, double tolerance) const;
  [[nodiscard]] Attained power(const Composition& composition, const TestPower& goal, double tolerance);

  const CalibrateQuery& query_;
  std::map<std::pair<double, Direction>, double> best_epsilon_;  ///< by false positive rate and direction
};

}  // namespace pld
