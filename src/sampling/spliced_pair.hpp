#pragma once

#include "pairs/analytic_law.hpp"
#include "pld/pairs/dominating_pair.hpp"
#include "sampling/sampled_pair.hpp"

namespace pld {

/// Sampling under a symmetric relation, of a base pair (P, Q): the losses above 0 of ((1-g) Q + g P, Q), those below 0
/// of (P, (1-g) P + g Q), and at 0 what the two leave: the base's own atom there and (1-g) TV(P, Q). Its profile is
/// that of the first pair at epsilon >= 0 and of the second below, which is convex in e^epsilon: the kink at 0 has the
/// slope (1-g) TV >= 0.
class SplicedPair final : public DominatingPair, public AnalyticPair, public KnownLeastRenyi {
 public:
  /// 0 < rate < 1.
  SplicedPair(const PairPtr& base, double rate);

  [[nodiscard]] const PairPtr& base() const { return gains_.base(); }

  [[nodiscard]] double log_mass_at_plus_infinity() const override { return gains_.log_mass_at_plus_infinity(); }
  [[nodiscard]] double log_q_mass_at_minus_infinity() const override { return falls_.log_q_mass_at_minus_infinity(); }
  [[nodiscard]] LossRange range() const override;
  [[nodiscard]] std::vector<LossCell> atoms(LossRange within) const override;
  [[nodiscard]] bool has_density() const override { return gains_.has_density(); }
  void cells(std::span<const double> edges, std::vector<LossCell>& out) const override;
  [[nodiscard]] double cell_cost() const override { return gains_.cell_cost(); }
  [[nodiscard]] LossCell above(double z) const override;
  [[nodiscard]] LossCell below(double z) const override;
  [[nodiscard]] double loss_error(LossRange within) const override;
  [[nodiscard]] double edge_error(double z) const override;
  [[nodiscard]] std::optional<double> spacing() const override;
  [[nodiscard]] std::vector<LossCell> outline() const override;
  [[nodiscard]] double log_tail_moment(double order, double from) const override;
  [[nodiscard]] double infinite_order() const override { return gains_.infinite_order(); }
  [[nodiscard]] bool analytic() const override { return gains_.analytic(); }
  [[nodiscard]] std::optional<AnalyticLaw> analytic_law(double log_negligible) const override;
  /// The profile is nowhere above the base's, and divergences of orders above 1 rise with it.
  [[nodiscard]] double renyi_slope() const override { return gains_.base()->renyi_slope(); }
  /// Losses below 0 only add to the mean that the sample's gains have.
  [[nodiscard]] double least_renyi(double order) const override {
    return least_renyi_of_gains(pld::least_renyi(gains_, order), order);
  }
  [[nodiscard]] bool symmetric() const override { return gains_.base()->symmetric(); }

 private:
  [[nodiscard]] LossCell sum_over(double low, double high) const;
  [[nodiscard]] std::optional<LossCell> rest_of(const LossCell& part) const;

  SampledPair gains_, falls_;
  LossCell at_zero_{};
};

}  // namespace pld
