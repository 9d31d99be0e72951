#pragma once

#include "pairs/additive_noise_pair.hpp"
#include "sampling/sampled_pair.hpp"

namespace pld {

/// A Poisson sample of noise whose record moves it by s in the one data set and by -s in the other, 0 < q < 1:
///   P = (1-q) X + q (X + s),  Q = (1-q) X + q (X - s)
/// with X symmetric, log-concave and everywhere positive. The loss at x is L(z(x)) - L(z(-x)), L that of the sample and
/// z that of (X + s, X): both masses of an interval come from that pair's, of the interval and of its mirror image.
class OppositePair final : public OutcomePair {
 public:
  /// `replaced`: the pair without the sampling, (X + s, X - s).
  OppositePair(const LocationFamily& family, double q, PairPtr replaced);

  [[nodiscard]] LossCell between(double a, double b) const override;
  [[nodiscard]] double loss_error(LossRange within) const override;
  [[nodiscard]] double log_tail_moment(double order, double from) const override;
  [[nodiscard]] double infinite_order() const override { return sample_.base()->infinite_order(); }
  /// Sampling lowers every divergence.
  [[nodiscard]] double renyi_slope() const override { return replaced_->renyi_slope(); }
  /// By the mirror x -> -x.
  [[nodiscard]] bool symmetric() const override { return true; }

 private:
  [[nodiscard]] double loss_at(double x) const override;
  [[nodiscard]] double sampled_loss(double x) const;

  double q_;
  PairPtr replaced_;
  std::shared_ptr<const AdditiveNoisePair> moved_;
  SampledPair sample_;
  SampledLoss loss_;
};

}  // namespace pld
