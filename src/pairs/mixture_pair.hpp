#pragma once

#include "pairs/least_renyi.hpp"
#include "pairs/pair_sum.hpp"

namespace pld {

/// One of several pairs, drawn with fixed weights, where the draw is told beside the output: its profile is the
/// weighted sum of theirs, delta = sum_i w_i delta_i. By joint convexity it dominates the mixtures (sum w_i P_i, sum
/// w_i Q_i), and whatever each of its pairs dominates.
class MixturePair final : public PairSum, public KnownLeastRenyi {
 public:
  /// The weights' sum is 1.
  using PairSum::PairSum;

  [[nodiscard]] bool symmetric() const override;
  /// E e^{(a-1) loss} is a mean of the parts', so no divergence is above the largest of theirs.
  [[nodiscard]] double renyi_slope() const override;
  /// Each part alone has its weight of that mean.
  [[nodiscard]] double least_renyi(double order) const override;
};

}  // namespace pld
