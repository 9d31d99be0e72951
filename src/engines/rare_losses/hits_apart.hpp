#pragma once

#include <optional>

#include "engines/rare_losses/hits.hpp"
#include "engines/rare_losses/one_hit.hpp"
#include "engines/tilted_lattice/lattice_query.hpp"
#include "pairs/term.hpp"

namespace pld {

/// The share of delta that hits may be wrong by, in nats.
[[nodiscard]] double log_hit_share(double tolerance);

/// A composition's hits taken apart for one query.
struct HitsApart {
  OneHit parts;
  Hits beyond;           ///< what is in no part
  double log_delta = 0;  ///< about where it is asked for
  bool needed = false;   ///< whether one tilt is off: its log delta differs from the parts' sum by 0.5 or more
};

/// At an epsilon > 0 that `query` is tilted for; none where there are no hits, or releases of many kinds.
[[nodiscard]] std::optional<HitsApart> apart_at_epsilon(const Terms& terms, const LatticeQuery& query, double epsilon,
                                                        double tolerance);

/// At a log delta that `query` is cut and tilted for.
[[nodiscard]] std::optional<HitsApart> apart_at_log_delta(const Terms& terms, const LatticeQuery& query,
                                                          double log_delta, double tolerance);

}  // namespace pld
