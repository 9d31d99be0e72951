#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pld/pairs/dominating_pair.hpp"
#include "pld/pairs/law_kind.hpp"

namespace pld {

/// Any pair of mass functions on the same outcomes: p with the record, q without it. Outcomes that only one of the two
/// has have an infinite loss.
struct MassTable {
  std::vector<double> p;  ///< >= 0, with a sum within 1e-9 of 1; divided by it
  std::vector<double> q;  ///< as long as p, likewise
};

/// Integer noise given by its masses at consecutive integers, log-concave. The sensitivity is how far a record can move
/// the query: either way where the masses are symmetric, upward only (0 to that) otherwise. A shift of asymmetric noise
/// dominates only the shifts of its own sign (Dong, Roth, Su 2022, appendix A, with sums for integrals).
struct IntegerNoise {
  std::vector<double> masses;  ///< >= 0 and log-concave, with a sum within 1e-9 of 1; divided by it
  double sensitivity = 1;      ///< a whole number from 1 to 1e6
};

/// "mass-table:p=.../...,q=.../..." and "integer-noise:masses=.../...,sensitivity=...".
[[nodiscard]] std::string describe(const MassTable& mechanism);
[[nodiscard]] std::string describe(const IntegerNoise& mechanism);

/// Each throws DomainError for a parameter out of range.
[[nodiscard]] PairPtr dominating_pair(const MassTable& mechanism, Direction direction);
[[nodiscard]] PairPtr dominating_pair(const IntegerNoise& mechanism, Direction direction);

/// Throws MissingTheorem for asymmetric noise.
[[nodiscard]] IntegerNoise replacing(const IntegerNoise& mechanism);

/// The table is that of the relation asked about.
[[nodiscard]] inline LawKind law_kind(const MassTable&) { return {.guarantee = true}; }

/// The table where a record is replaced: of two neighbours either may have the masses p, in one release the one and in
/// the next the other. Composed in one order alone it bounds none of that (two releases of p = .26/.74, q = .13/.87 at
/// epsilon .5 have .0667, in one order .0479). So it is accounted for by the larger one of the two orders' profiles,
/// which one release attains at each epsilon.
struct TableInEitherOrder {
  MassTable table;
};
[[nodiscard]] inline TableInEitherOrder replacing(const MassTable& mechanism) { return {mechanism}; }
[[nodiscard]] std::string describe(const TableInEitherOrder& mechanism);
[[nodiscard]] PairPtr dominating_pair(const TableInEitherOrder& mechanism, Direction direction);
[[nodiscard]] LawKind law_kind(const TableInEitherOrder& mechanism);
[[nodiscard]] std::optional<MassTable> witness(const TableInEitherOrder& mechanism);

}  // namespace pld
