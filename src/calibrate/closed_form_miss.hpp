#pragma once

#include <utility>
#include <vector>

#include "pairs/term.hpp"
#include "pld/account/composition.hpp"
#include "pld/calibrate/goal.hpp"

namespace pld {

/// miss() of compositions that have a closed form, by one tail of the law for each target and direction; and of those
/// with nothing but infinite losses above the targets' epsilons. Where losses are bounded, delta falls to 0 at the
/// largest one and no Gaussian is like it: there it is the logarithm of the quotient of the epsilon that has the
/// target's delta to the target's.
class ClosedFormMiss {
 public:
  ClosedFormMiss(std::vector<Target> targets, DirectionChoice direction)
      : targets_(std::move(targets)), direction_(direction) {}

  /// The largest over the targets, NaN for other compositions. Asked at another value of the unknown each time: it sees
  /// whether the largest loss depends on it.
  [[nodiscard]] double at(const Composition& composition);

 private:
  [[nodiscard]] double beyond_finite_losses(const Terms& terms) const;
  [[nodiscard]] double of(const Target& target, const DominatingPair& pair) const;

  std::vector<Target> targets_;
  DirectionChoice direction_;
  double last_highest_ = -1;
  bool edge_moves_ = true;
};

}  // namespace pld
