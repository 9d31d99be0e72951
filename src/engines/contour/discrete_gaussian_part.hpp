#pragma once

#include <optional>

#include "pld/pairs/dominating_pair.hpp"

namespace pld::contour {

/// Discrete Gaussian noise among the composed laws, unsampled: its moments by Poisson summation, in a few terms
/// whatever sigma is (docs/contour_engine.md).
class DiscreteGaussianPart {
 public:
  /// std::nullopt where the pair is another law, or sigma is below 2: from there on the moment at a real power is that
  /// of a normal law to 1e-33.
  [[nodiscard]] static std::optional<DiscreteGaussianPart> of(const DominatingPair& pair, double count = 1);

  [[nodiscard]] double count() const { return count_; }
  void add(double count) { count_ += count; }
  [[nodiscard]] bool is_alike(const DiscreteGaussianPart& other) const {
    return sigma_ == other.sigma_ && shift_ == other.shift_;
  }

  /// The variance of a release's loss, to 3 u: the moment at lambda is e^{lambda (lambda + 1) square / 2}.
  [[nodiscard]] double square() const { return square_; }

  /// M(lambda + is) / M(lambda) = e^{log_size + i phase} of one release.
  struct Ratio {
    double log_size = 0, phase = 0;
    double error = 0;     ///< relative, besides what follows
    double rounding = 0;  ///< of log_size and phase together
  };
  [[nodiscard]] Ratio at(double lambda, double s) const;

  /// |M(lambda + is)| comes back to M(lambda) at every multiple of it, whatever lambda.
  [[nodiscard]] double period() const { return period_; }

  /// log of a bound on |M(lambda + is')| / M(lambda) for s <= s' <= until; at most 0.
  [[nodiscard]] double log_decay(double s, double until) const;

 private:
  DiscreteGaussianPart(double sigma, double shift, double count);

  double sigma_, shift_, count_, square_, period_;
  double curvature_;  ///< nats lost a squared period
};

}  // namespace pld::contour
