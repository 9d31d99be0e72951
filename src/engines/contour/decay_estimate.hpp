#pragma once

#include "pairs/term.hpp"

namespace pld::contour {

/// Whether the law's own moments decay, be it slowly: atoms' come back, however close they lie.
[[nodiscard]] bool decays(const DominatingPair& pair);

/// Whether the law has atoms, which keep their share of its moments however high the frequency.
[[nodiscard]] bool keeps_atoms(const DominatingPair& pair);

/// About the standard deviation of the composition's loss, by the same outlines.
[[nodiscard]] double deviation(const Terms& terms);

/// About how many outcomes one node of a line is summed over.
[[nodiscard]] double outcomes(const Terms& terms);

/// Whether a line through the composition's moment function takes about so many nodes or fewer until the integrand has
/// fallen by e^-enough_nats: estimated from the releases' outlines, untilted, which is cheap beside any engine. No
/// bound, and none is needed: it tells only which engine is asked. Domain: contour_takes(terms), most_nodes > 0.
[[nodiscard]] bool decays_within(const Terms& terms, double most_nodes, double enough_nats);

}  // namespace pld::contour
