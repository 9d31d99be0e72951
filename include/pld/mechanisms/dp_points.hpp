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

/// "dp-points:epsilons=0.5/1,deltas=1e-05/1e-09".
[[nodiscard]] std::string describe(const DpPoints& mechanism);

/// Throws DomainError for a parameter out of range.
[[nodiscard]] PairPtr dominating_pair(const DpPoints& mechanism, Direction direction);

/// The guarantee is that of the relation asked about.
[[nodiscard]] inline DpPoints replacing(const DpPoints& mechanism) { return mechanism; }
[[nodiscard]] inline LawKind law_kind(const DpPoints&) { return {.guarantee = true, .only_guaranteed = true}; }

}  // namespace pld
