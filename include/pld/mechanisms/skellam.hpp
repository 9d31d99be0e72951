#pragma once

#include <string>

#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// Symmetric Skellam noise: the difference of two Poisson variables of mean variance / 2 each (Agarwal, Kairouz, Liu
/// 2021).
struct Skellam {
  double variance = 1;     ///< from 1e-3 to 1e6
  double sensitivity = 1;  ///< a whole number from 1 to 1e6
};

/// "skellam:variance=1" with every parameter, in the form the command reads.
[[nodiscard]] std::string describe(const Skellam& mechanism);

/// Throws DomainError for a parameter out of range.
[[nodiscard]] PairPtr dominating_pair(const Skellam& mechanism, Direction direction);

}  // namespace pld
