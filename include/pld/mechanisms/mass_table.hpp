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

/// "mass-table:p=.../...,q=.../...".
[[nodiscard]] std::string describe(const MassTable& mechanism);

/// Throws DomainError for a parameter out of range.
[[nodiscard]] PairPtr dominating_pair(const MassTable& mechanism, Direction direction);

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
