#pragma once

#include "pairs/additive_noise_pair.hpp"
#include "pairs/analytic_law.hpp"
#include "sampling/opposite_sample.hpp"

namespace pld {

/// The opposite sample of noise X with a density, on some of the outcomes that both laws have.
class OppositePair final : public OutcomePair,
                           public AnalyticPair,
                           public KnownLeastRenyi,
                           public KnownMostRenyi,
                           public FamilyMember {
 public:
  enum class Outcomes {
    common,   ///< those that X + s and X - s have: all, where X is unbounded
    to_right  ///< those of bounded noise further right, which X and X + s have
  };
  OppositePair(const LocationFamily& family, double q, Outcomes outcomes);

  [[nodiscard]] LossCell between(double a, double b) const override;
  [[nodiscard]] double cell_cost() const override { return 36 * moved_->loss_cost(); }
  [[nodiscard]] double loss_error(LossRange within) const override;
  [[nodiscard]] double edge_error(double z) const override;
  [[nodiscard]] double log_tail_moment(double order, double from) const override;
  [[nodiscard]] double infinite_order() const override { return sample_.infinite_order(); }
  [[nodiscard]] double renyi_slope() const override { return sample_.renyi_slope(); }
  [[nodiscard]] RenyiLine renyi_line() const override { return sample_.renyi_line(); }
  [[nodiscard]] double most_renyi(double order) const override { return sample_.most_renyi(order); }
  [[nodiscard]] double least_renyi(double order) const override { return sample_.least_renyi(order); }
  [[nodiscard]] bool analytic() const override;
  [[nodiscard]] std::optional<AnalyticLaw> analytic_law(double log_negligible) const override;
  /// By the shift and by q: docs/poisson_replace_one.md.
  [[nodiscard]] std::optional<OrderedLaw> ordered() const override;
  /// By the mirror x -> -x.
  [[nodiscard]] bool symmetric() const override { return outcomes_ == Outcomes::common; }

 private:
  [[nodiscard]] double loss_at(double x) const override { return sampled_loss(x) - mirrored_loss(x); }
  [[nodiscard]] double sampled_loss(double x) const { return sample_.sampled_loss(moved_->loss_of(x)); }
  [[nodiscard]] double mirrored_loss(double x) const;

  std::shared_ptr<const AdditiveNoisePair> moved_;
  OppositeSample sample_;
  Outcomes outcomes_;
  bool bounded_;
};

/// The opposite sample of noise with a density; null for bounded noise where the largest outcome of X - s is not above
/// 0, or no double: between the roundings of it one law would have outcomes that it has not.
[[nodiscard]] PairPtr opposite_pair(const LocationFamily& family, double q);

}  // namespace pld
