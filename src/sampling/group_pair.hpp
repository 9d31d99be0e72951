#pragma once

#include <memory>
#include <vector>

#include "pairs/additive_noise_pair.hpp"
#include "pairs/analytic_law.hpp"
#include "sampling/shift_mixture.hpp"

namespace pld {

/// A group's shift mixture of noise with a density, symmetric, log-concave and positive everywhere (docs/groups.md):
/// against X where the group is removed; where it is replaced, of shifts by j s against those by -j s, so that the loss
/// at x is that of the one mixture at x less that at -x.
class GroupPair final : public OutcomePair, public AnalyticPair, public KnownLeastRenyi, public KnownMostRenyi {
 public:
  /// `renyi_slope`: a bound of D_order(P || Q) / order, order > 1.
  GroupPair(const LocationFamily& family, int group, double q, bool replaced, double renyi_slope);

  [[nodiscard]] double cell_cost() const override;
  [[nodiscard]] LossCell between(double a, double b) const override;
  [[nodiscard]] double loss_error(LossRange within) const override;
  [[nodiscard]] double log_tail_moment(double order, double from) const override;
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
  [[nodiscard]] bool analytic() const override;
  [[nodiscard]] std::optional<AnalyticLaw> analytic_law(double log_negligible) const override;
  /// By the mirror x -> -x.
  [[nodiscard]] bool symmetric() const override { return replaced_; }

 private:
  [[nodiscard]] double loss_at(double x) const override;
  [[nodiscard]] double mixed_loss(double x) const;
  [[nodiscard]] LossCell mixed(double a, double b) const;
  [[nodiscard]] double mixed_error(double low, double high) const;

  std::vector<std::shared_ptr<const AdditiveNoisePair>> moved_;  ///< by s, 2 s, ..., k s
  ShiftMixture mixture_;
  bool replaced_;
  double renyi_slope_;
};

}  // namespace pld
