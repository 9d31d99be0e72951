#pragma once

#include <optional>

#include "engines/contour/ratio_moments.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld::contour {

/// A sampled discrete Gaussian as a sampled Gaussian whose outcomes are the multiples of `grain` alone.
struct GrainedLaw {
  SampledGaussianLaw law;
  double grain = 0;  ///< 1 / sigma
};

/// std::nullopt where the pair is another law, or the grain so coarse that grain_period() is below 300: there its few
/// outcomes are summed as well. Next to the real line moments of both agree to e^-600 from there on.
[[nodiscard]] std::optional<GrainedLaw> grained_law(const DominatingPair& pair);

/// Where sums over multiples of the grain no longer tell frequencies apart: about where moments come back.
[[nodiscard]] double grain_period(const SampledRatio& ratio, double grain);

/// log of a bound on what the grained law's moments E r^{rho + is'}, |s'| <= s, are off the integrals over the body:
/// relative to e^log_moment, the one at rho of the law with a density. Domain: grain > 0.
[[nodiscard]] double log_grain_error(const SampledRatio& ratio, const Body& body, double grain, double rho, double s,
                                     double log_moment);

}  // namespace pld::contour
