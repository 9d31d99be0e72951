#pragma once

#include <string>
#include <vector>

#include "pld/pairs/dominating_pair.hpp"
#include "pld/pairs/law_kind.hpp"

namespace pld {

/// Any mechanism that is f-DP for the f that joins these points by straight lines: telling neighbours apart with a
/// false positive rate alphas[i] leaves a false negative rate of betas[i] or more (Dong, Roth, Su 2022, definition 3).
struct TradeOffPoints {
  std::vector<double> alphas;  ///< from 0, increasing, 2 to 100000 of them
  std::vector<double> betas;   ///< convex and decreasing, to 0 at the last; alpha + beta <= 1
};

/// "trade-off:alphas=0/0.25/1,betas=0.75/0.25/0".
[[nodiscard]] std::string describe(const TradeOffPoints& mechanism);

/// Throws DomainError for a parameter out of range.
[[nodiscard]] PairPtr dominating_pair(const TradeOffPoints& mechanism, Direction direction);

/// The guarantee is that of the relation asked about.
[[nodiscard]] inline TradeOffPoints replacing(const TradeOffPoints& mechanism) { return mechanism; }
[[nodiscard]] inline LawKind law_kind(const TradeOffPoints&) { return {.guarantee = true, .only_guaranteed = true}; }

}  // namespace pld
