#pragma once

#include <optional>

#include "pld/account/query.hpp"

namespace pld {

/// Answers epsilon queries about runs that contain each other, such as ever fewer steps of one mechanism.
///
/// Each answer is that of epsilon(); what is saved is the direction that is known not to be the worse one. By
/// post-processing a part of a run loses no more than the whole, in each direction, and epsilon falls with delta: where
/// the lesser direction of a larger run stays below the other one of this run, it is not asked again. So the largest
/// run with the least delta is best asked first.
class EpsilonSeries {
 public:
  explicit EpsilonSeries(const EpsilonQuery& query) : query_(query) {}

  /// Throws as epsilon().
  [[nodiscard]] Answer at(const Composition& run, double delta);

 private:
  /// What was found of a run: no part of it is above `upper` in this direction.
  struct Known {
    Composition run;
    double delta = 0;
    Direction lesser = Direction::add;
    double upper = 0;
  };
  [[nodiscard]] bool covers(const Composition& run, double delta) const;
  [[nodiscard]] std::optional<Answer> in_worse_direction(const Composition& run, const EpsilonQuery& query) const;

  EpsilonQuery query_;
  std::optional<Known> known_;
};

}  // namespace pld
