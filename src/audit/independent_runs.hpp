#pragma once

#include "pld/audit/attack_frontier.hpp"
#include "pld/audit/observations.hpp"

namespace pld::audit {

/// Whether Clopper and Pearson's rectangle at this level lies beyond the frontier. Domain: 0 < level < 1.
[[nodiscard]] bool refutes(const RunCounts& counts, const AttackFrontier& hypothesis, double level);

}  // namespace pld::audit
