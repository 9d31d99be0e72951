#pragma once

#include "pairs/term.hpp"

namespace pld {

/// Basic composition, for totals where nothing better is found: an upper bound of log delta(total), each release's
/// delta at an equal share of the total, summed, and the infinite losses' part. (p1 p2 - e^{a+b} q1 q2)_+ <= (p1 - e^a
/// q1)_+ p2 + p1 (p2 - e^b q2)_+ for any a and b, so that shares may be negative.
[[nodiscard]] double log_delta_of_equal_shares(const Terms& terms, double total, double log_infinity);

}  // namespace pld
