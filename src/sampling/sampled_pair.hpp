#pragma once

#include <algorithm>

#include "pairs/analytic_law.hpp"
#include "pairs/least_renyi.hpp"
#include "pairs/ordered_law.hpp"
#include "pairs/sample_of.hpp"
#include "pld/pairs/dominating_pair.hpp"
#include "sampling/sampled_loss.hpp"

namespace pld {

/// Poisson sampling of a base pair (A, B) of the same direction, 0 < q < 1:
///   remove: P = (1-q) B + q A, Q = B, loss L(z);   add: P = A, Q = (1-q) A + q B, loss -L(-z).
/// Both are linear in (A, B): a cell of the base, fused or not, becomes exactly one cell.
class SampledPair final : public DominatingPair,
                          public SampleOf,
                          public FamilyMember,
                          public AnalyticPair,
                          public KnownLeastRenyi,
                          public KnownMostRenyi {
 public:
  SampledPair(PairPtr base, double q, Direction direction);

  [[nodiscard]] const PairPtr& base() const override { return base_; }
  [[nodiscard]] double q() const override { return q_; }
  [[nodiscard]] Direction direction() const override { return direction_; }

  /// The cell of the sample that a cell of the base becomes.
  [[nodiscard]] LossCell sampled(const LossCell& base) const;

  /// L of a base loss, as every cell and both ends of the range have it: an end that differed from its atom by one
  /// rounding would cut the atom off.
  [[nodiscard]] double removed_loss(double z) const;

  [[nodiscard]] double log_mass_at_plus_infinity() const override;
  [[nodiscard]] std::optional<DoublesAround> infinite_mass() const override;
  [[nodiscard]] double log_q_mass_at_minus_infinity() const override;
  [[nodiscard]] LossRange range() const override;
  [[nodiscard]] std::vector<LossCell> atoms(LossRange within) const override;
  [[nodiscard]] bool has_density() const override { return base_->has_density(); }
  void cells(std::span<const double> edges, std::vector<LossCell>& out) const override;
  [[nodiscard]] double cell_cost() const override { return base_->cell_cost() + 1; }
  [[nodiscard]] LossCell above(double z) const override;
  [[nodiscard]] LossCell below(double z) const override;
  /// By the base's: sampling draws its losses together, so that many may lie within the error of one.
  [[nodiscard]] LossCell above_and_doubtful(double z) const override;
  [[nodiscard]] double loss_error(LossRange within) const override;
  [[nodiscard]] double edge_error(double z) const override;
  /// Samples of what loses nothing lose nothing. Infinite losses of the base become finite ones.
  [[nodiscard]] std::optional<ExactLoss> exact_highest() const override;
  [[nodiscard]] std::optional<double> spacing() const override;
  [[nodiscard]] std::vector<LossCell> outline() const override;
  /// By the base's sizes, since the profile is one of the base's, scaled; and by q: a sample of a sample is a mixture
  /// of the sampled pair with (Q, Q), or (P, P), and H is convex.
  [[nodiscard]] std::optional<OrderedLaw> ordered() const override;
  [[nodiscard]] std::optional<SampledGaussianLaw> sampled_gaussian() const override;
  [[nodiscard]] bool analytic() const override { return has_analytic_law(*base_); }
  [[nodiscard]] std::optional<AnalyticLaw> analytic_law(double log_negligible) const override;
  [[nodiscard]] double log_tail_moment(double order, double from) const override;
  [[nodiscard]] double infinite_order() const override { return removing() ? base_->infinite_order() : infinity; }
  /// Sampling lowers every divergence, and the range.
  [[nodiscard]] double renyi_slope() const override {
    return std::min(base_->renyi_slope(), DominatingPair::renyi_slope());
  }
  [[nodiscard]] std::optional<ExactSlope> exact_slope() const override { return base_->exact_slope(); }
  [[nodiscard]] RenyiLine renyi_line() const override { return {0, renyi_slope()}; }
  [[nodiscard]] double most_renyi(double order) const override;
  /// Removed: the likelihood ratio is at least q times the base's.
  [[nodiscard]] double least_renyi(double order) const override;

 private:
  [[nodiscard]] bool removing() const { return direction_ == Direction::remove; }
  [[nodiscard]] double base_loss(double loss) const;
  [[nodiscard]] LossCell sampled_by_removal(const LossCell& base) const;
  [[nodiscard]] std::optional<LossCell> atom_from_infinity() const;
  [[nodiscard]] double own_rounding(double reach) const;
  template <class BaseError>
  [[nodiscard]] double error_from(LossRange within, const BaseError& error_of_base) const;
  [[nodiscard]] double log_removed_tail_moment(double order, double from) const;

  PairPtr base_;
  double q_;
  Direction direction_;
  SampledLoss sampled_loss_;
};

}  // namespace pld
