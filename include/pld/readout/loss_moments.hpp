#pragma once

#include <optional>

#include "pld/account/composition.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/direction.hpp"

namespace pld {

/// Mean and variance of a composition's loss, and the sum over its releases of the third absolute central moment: what
/// the central limit theorem knows of it. Certified, mostly to 1e-4 and better: a moment is the Q mean of r g(log r), r
/// = dP/dQ, between Jensen's bound and the chord's in every cell where that is convex or concave, beyond the last by
/// the pair's tail bound. A composition of unsampled Gaussians, exactly normal, has third = 0.
struct LossMoments {
  Bracket mean, variance, third;

  /// The mu of the limiting Gaussian trade-off function: 2 mean / standard deviation (Dong, Roth, Su 2022, theorem 3.4,
  /// for the loss of one direction).
  [[nodiscard]] Bracket limit_mu() const;

  /// At most this far is the loss's distribution function from the normal one: 0.56 third / variance^{3/2} (Shevtsova
  /// 2010).
  [[nodiscard]] Bracket berry_esseen_error() const;
};

/// None where a loss is infinite with positive probability. `tolerance` > 0 is the relative width asked of each
/// release's mean; throws DomainError for others.
[[nodiscard]] std::optional<LossMoments> loss_moments(const Composition& composition, Direction direction,
                                                      double tolerance = 1e-7);

}  // namespace pld
