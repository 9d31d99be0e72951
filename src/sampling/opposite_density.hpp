#pragma once

#include "pairs/analytic_law.hpp"

namespace pld {

/// P = X R(x) against Q = X R(-x), X symmetric about 0: from the law of P against X, one density over outcomes x -
/// centre.
[[nodiscard]] AnalyticLaw opposite_law(const AnalyticLaw& against_still, double centre);

}  // namespace pld
