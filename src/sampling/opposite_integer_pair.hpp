#pragma once

#include "pairs/whole_outcome_pair.hpp"
#include "sampling/opposite_sample.hpp"

namespace pld {

/// The opposite sample of noise on the whole numbers.
class OppositeIntegerPair final : public DominatingPair, public KnownLeastRenyi, public KnownMostRenyi {
 public:
  /// `moved`: (X + s, X); `twice_slope`: a bound of D_order / order, order > 1, of (X + 2 s, X).
  OppositeIntegerPair(std::shared_ptr<const WholeOutcomePair> moved, double q, double twice_slope);

  [[nodiscard]] LossRange range() const override { return range_; }
  /// Outcomes to either side that both laws have with less than e^-50000 come as one cell, as those of the noise do.
  [[nodiscard]] std::vector<LossCell> atoms(LossRange within) const override;
  [[nodiscard]] bool has_density() const override { return moved_->has_density(); }
  void cells(std::span<const double> edges, std::vector<LossCell>& out) const override;
  [[nodiscard]] double cell_cost() const override { return 2 * moved_->cell_cost(); }
  [[nodiscard]] LossCell above(double z) const override { return from(first_above(z)); }
  [[nodiscard]] LossCell below(double z) const override;
  [[nodiscard]] double loss_error(LossRange within) const override;
  [[nodiscard]] std::optional<double> spacing() const override;
  [[nodiscard]] std::vector<LossCell> outline() const override;
  [[nodiscard]] double log_tail_moment(double order, double from) const override;
  [[nodiscard]] double infinite_order() const override { return sample_.infinite_order(); }
  [[nodiscard]] double renyi_slope() const override { return sample_.renyi_slope(); }
  [[nodiscard]] RenyiLine renyi_line() const override { return sample_.renyi_line(); }
  [[nodiscard]] double most_renyi(double order) const override { return sample_.most_renyi(order); }
  [[nodiscard]] double least_renyi(double order) const override { return sample_.least_renyi(order); }
  /// By the mirror x -> -x.
  [[nodiscard]] bool symmetric() const override { return true; }

 private:
  [[nodiscard]] LossCell at(double x) const { return sample_.cell(moved_->at(x), moved_->at(-x)); }
  [[nodiscard]] LossCell from(double x) const;
  [[nodiscard]] double sampled_loss(double x) const { return sample_.sampled_loss(moved_->at(x).loss); }
  [[nodiscard]] double first_above(double z) const;
  [[nodiscard]] double first_below(double log_mass) const;

  std::shared_ptr<const WholeOutcomePair> moved_;
  OppositeSample sample_;
  double end_;   ///< from here on the loss is flat
  double deep_;  ///< from here on both laws have less than e^-50000
  LossRange range_;
};

}  // namespace pld
