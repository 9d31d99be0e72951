#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "sampling/shift_mixture.hpp"

namespace pld {

/// What the pair of a group on a sample has of the pairs (X + j s, X), j = 1 to k, whether X has a density or lies on
/// the whole numbers. `Base` is the kind of pair that it is, `Moved` that of those.
template <class Base, class Moved>
class GroupLaw : public Base, public KnownLeastRenyi, public KnownMostRenyi {
 public:
  [[nodiscard]] double infinite_order() const override { return moved_.back()->infinite_order(); }
  [[nodiscard]] double renyi_slope() const override { return renyi_slope_; }
  [[nodiscard]] RenyiLine renyi_line() const override { return mixture_.renyi_line(*moved_.back(), replaced_); }
  [[nodiscard]] double most_renyi(double order) const override {
    std::vector<double> slopes;
    for (const auto& moved : moved_) slopes.push_back(moved->renyi_slope());
    return mixture_.most_renyi(slopes, replaced_, order);
  }
  [[nodiscard]] double least_renyi(double order) const override {
    return mixture_.least_renyi(*moved_.back(), replaced_, order);
  }
  /// By the mirror x -> -x.
  [[nodiscard]] bool symmetric() const override { return replaced_; }

 protected:
  using MovedPairs = std::vector<std::shared_ptr<const Moved>>;

  /// `unsampled_slope`: a bound of D_order / order, order > 1, of the group's pair on all data.
  GroupLaw(MovedPairs moved, double q, bool replaced, double unsampled_slope)
      : moved_(std::move(moved)),
        mixture_(static_cast<int>(moved_.size()), q),
        replaced_(replaced),
        // Sampling lowers every divergence; and where the group is replaced Q is at least (1-q)^k of X.
        renyi_slope_(unsampled_slope) {
    if (!replaced) return;
    const double from_none = round_up(moved_.back()->renyi_slope() - mixture_.log_weight_of_none(), 8);
    renyi_slope_ = std::min(renyi_slope_, from_none);
  }

  MovedPairs moved_;
  ShiftMixture mixture_;
  bool replaced_;

 private:
  double renyi_slope_;
};

}  // namespace pld
