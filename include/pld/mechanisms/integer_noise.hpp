#pragma once

#include <string>
#include <vector>

#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// Integer noise given by its masses at consecutive integers, log-concave. The sensitivity is how far a record can move
/// the query: either way where the masses are symmetric, upward only (0 to that) otherwise. A shift of asymmetric noise
/// dominates only the shifts of its own sign (Dong, Roth, Su 2022, appendix A, with sums for integrals).
struct IntegerNoise {
  std::vector<double> masses;  ///< >= 0 and log-concave, with a sum within 1e-9 of 1; divided by it
  double sensitivity = 1;      ///< a whole number from 1 to 1e6
};

/// "integer-noise:masses=.../...,sensitivity=...".
[[nodiscard]] std::string describe(const IntegerNoise& mechanism);

/// Throws DomainError for a parameter out of range.
[[nodiscard]] PairPtr dominating_pair(const IntegerNoise& mechanism, Direction direction);

/// Throws MissingTheorem for asymmetric noise.
[[nodiscard]] IntegerNoise replacing(const IntegerNoise& mechanism);

}  // namespace pld
