#pragma once

#include <string>
#include <vector>

#include "pld/pairs/dominating_pair.hpp"
#include "pld/pairs/law_kind.hpp"

namespace pld {

/// Any mechanism that is (epsilons[i], deltas[i])-DP for each i. Its pair has the largest profile that allows:
/// piecewise linear in e^epsilon, from 1 at e^epsilon = 0, with that of the swapped pair (Zhu, Dong, Wang 2022,
/// proposition 8).
struct DpPoints {
  std::vector<double> epsilons;  ///< from 0 to 1e6, 1 to 100000 of them
  std::vector<double> deltas;    ///< one an epsilon, in [0, 1]
};

/// Any mechanism that is f-DP for the f that joins these points by straight lines: telling neighbours apart with a
/// false positive rate alphas[i] leaves a false negative rate of betas[i] or more (Dong, Roth, Su 2022, definition 3).
struct TradeOffPoints {
  std::vector<double> alphas;  ///< from 0, increasing, 2 to 100000 of them
  std::vector<double> betas;   ///< convex and decreasing, to 0 at the last; alpha + beta <= 1
};

/// "dp-points:epsilons=0.5/1,deltas=1e-05/1e-09", "trade-off:alphas=0/0.25/1,betas=0.75/0.25/0".
[[nodiscard]] std::string describe(const DpPoints& mechanism);
[[nodiscard]] std::string describe(const TradeOffPoints& mechanism);

/// Each throws DomainError for a parameter out of range.
[[nodiscard]] PairPtr dominating_pair(const DpPoints& mechanism, Direction direction);
[[nodiscard]] PairPtr dominating_pair(const TradeOffPoints& mechanism, Direction direction);

/// The guarantee is that of the relation asked about.
[[nodiscard]] inline DpPoints replacing(const DpPoints& mechanism) { return mechanism; }
[[nodiscard]] inline TradeOffPoints replacing(const TradeOffPoints& mechanism) { return mechanism; }
[[nodiscard]] inline LawKind law_kind(const DpPoints&) { return {.guarantee = true}; }
[[nodiscard]] inline LawKind law_kind(const TradeOffPoints&) { return {.guarantee = true}; }

}  // namespace pld
