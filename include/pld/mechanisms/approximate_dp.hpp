#pragma once

#include <string>

#include "pld/pairs/dominating_pair.hpp"
#include "pld/pairs/law_kind.hpp"

namespace pld {

/// The worst (epsilon, delta)-DP mechanism, that is leaky randomized response: it dominates every other one
/// (Kairouz, Oh, Viswanath 2015, theorem 3.3 and its proof).
struct ApproximateDp {
  double epsilon = 1;  ///< >= 0, finite
  double delta = 0;    ///< in [0, 1]
};

/// "dp:epsilon=1,delta=0" with every parameter, in the form the command reads.
[[nodiscard]] std::string describe(const ApproximateDp& mechanism);

/// Throws DomainError for a parameter out of range.
[[nodiscard]] PairPtr dominating_pair(const ApproximateDp& mechanism, Direction direction);

/// Epsilon and delta are those of the relation asked about.
[[nodiscard]] inline ApproximateDp replacing(const ApproximateDp& mechanism) { return mechanism; }
[[nodiscard]] inline LawKind law_kind(const ApproximateDp&) { return {.guarantee = true, .only_guaranteed = true}; }

}  // namespace pld
