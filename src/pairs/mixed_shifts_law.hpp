#pragma once

#include <vector>

#include "pairs/analytic_law.hpp"

namespace pld {

/// A component N(shift, 1) of a mixture, shift >= 0.
struct NormalComponent {
  double shift = 0, log_weight = 0;
};

/// The law of a mixture of such components, of weights that add up to 1, against N(0, 1) about 0, over outcomes. Shifts
/// are off by 4 u of themselves, logarithms of weights by 2 u of themselves and by `weight_units` u besides.
[[nodiscard]] AnalyticLaw mixed_shifts_law(const std::vector<NormalComponent>& components, double weight_units,
                                           double log_negligible);

}  // namespace pld
