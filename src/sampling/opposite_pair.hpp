#pragma once

#include "pairs/additive_noise_pair.hpp"
#include "sampling/opposite_sample.hpp"

namespace pld {

/// The opposite sample of noise with a density.
class OppositePair final : public OutcomePair {
 public:
  OppositePair(const LocationFamily& family, double q, double renyi_slope);

  [[nodiscard]] LossCell between(double a, double b) const override {
    return sample_.cell(moved_->between(a, b), moved_->between(-b, -a));
  }
  [[nodiscard]] double loss_error(LossRange within) const override;
  [[nodiscard]] double log_tail_moment(double order, double from) const override;
  [[nodiscard]] double infinite_order() const override { return sample_.infinite_order(); }
  [[nodiscard]] double renyi_slope() const override { return sample_.renyi_slope(); }
  /// By the mirror x -> -x.
  [[nodiscard]] bool symmetric() const override { return true; }

 private:
  [[nodiscard]] double loss_at(double x) const override { return sampled_loss(x) - sampled_loss(-x); }
  [[nodiscard]] double sampled_loss(double x) const { return sample_.sampled_loss(moved_->loss_of(x)); }

  std::shared_ptr<const AdditiveNoisePair> moved_;
  OppositeSample sample_;
};

}  // namespace pld
