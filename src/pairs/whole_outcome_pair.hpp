#pragma once

#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// A pair of laws on the whole numbers, X + s and X with X symmetric and log-concave, outcome by outcome. Outcomes may
/// be any whole numbers.
class WholeOutcomePair : public DominatingPair {
 public:
  [[nodiscard]] bool has_density() const override { return false; }
  void cells(std::span<const double>, std::vector<LossCell>&) const override {}

  /// One outcome, all from one on, all up to one.
  [[nodiscard]] virtual LossCell at(double x) const = 0;
  [[nodiscard]] virtual LossCell from(double x) const = 0;
  [[nodiscard]] virtual LossCell up_to(double x) const = 0;

  /// The loss is the same from this outcome on.
  [[nodiscard]] virtual double flat_from() const { return infinity; }
};

}  // namespace pld
