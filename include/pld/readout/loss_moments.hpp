#pragma once

#include <optional>

#include "pld/compose/composition.hpp"
#include "pld/core/direction.hpp"

namespace pld {

/// Mean and variance of a composition's loss, and the sum over its releases of the third absolute central moment: what the
/// central limit theorem knows of it. Good to about 1e-3, from the outlines of the releases; certified in nothing.
/// A composition of unsampled Gaussians, exactly normal, has third = 0.
struct LossMoments {
  double mean = 0, variance = 0, third = 0;

  /// The mu of the limiting Gaussian trade-off function: 2 mean / standard deviation (Dong, Roth, Su 2022, theorem 3.4, for the
  /// loss of one direction).
  [[nodiscard]] double limit_mu() const;

  /// At most this far is the loss's distribution function from the normal one: 0.56 third / variance^{3/2} (Shevtsova 2010).
  [[nodiscard]] double berry_esseen_error() const;
};

/// None where a loss is infinite with positive probability.
[[nodiscard]] std::optional<LossMoments> loss_moments(const Composition& composition, Direction direction);

}  // namespace pld
