#pragma once

#include <string>

#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// The difference of two Poisson variables of means `plus` and `minus`, on a query that a record raises by 0 to
/// `sensitivity` (counts): of asymmetric noise the shift of one sign dominates only those of that sign.
struct PoissonDifference {
  double plus = 1;         ///< plus + minus from 1e-3 to 1e6
  double minus = 1;        ///< from 1e-4 to 1e4 times plus
  double sensitivity = 1;  ///< a whole number from 1 to 1e6
};

/// "poisson-difference:plus=1,minus=1" with every parameter, in the form the command reads.
[[nodiscard]] std::string describe(const PoissonDifference& mechanism);

/// Throws DomainError for a parameter out of range.
[[nodiscard]] PairPtr dominating_pair(const PoissonDifference& mechanism, Direction direction);

/// Throws MissingTheorem for asymmetric noise: a replaced record moves a count either way.
[[nodiscard]] PoissonDifference replacing(const PoissonDifference& mechanism);

}  // namespace pld
