#pragma once

#include "pairs/analytic_law.hpp"

namespace pld {

/// The law of an opposite sample (OppositeSample) of unbounded noise, 0 < q < 1. `moved`: that of (X + s, X), one
/// density over outcomes that has X about -s/2.
[[nodiscard]] AnalyticLaw opposite_law(const AnalyticLaw& moved, double s, double q);

}  // namespace pld
