#pragma once

#include "pairs/analytic_law.hpp"
#include "pld/core/direction.hpp"

namespace pld {

/// The law of a Poisson sample of a base pair, see SampledPair. 0 < q < 1.
[[nodiscard]] AnalyticLaw sampled_law(const AnalyticLaw& base, double q, Direction direction);

}  // namespace pld
