#include "pld/mechanisms/mass_table.hpp"

#include "mechanisms/parameter_text.hpp"
#include "pairs/atomic_pair.hpp"
#include "pairs/either_order_pair.hpp"
#include "pairs/two_atom_pair.hpp"

namespace pld {

std::string describe(const MassTable& mechanism) {
  return "mass-table:p=" + listed(mechanism.p) + ",q=" + listed(mechanism.q);
}

namespace {

/// Has two equal columns lose nothing, whatever rounding makes of their quotients.
PairPtr unless_equal(const MassTable& table, PairPtr pair) { return table.p == table.q ? pair_without_loss() : pair; }

}  // namespace

PairPtr dominating_pair(const MassTable& mechanism, Direction direction) {
  const bool removing = direction == Direction::remove;
  return unless_equal(mechanism, removing ? pair_of_masses("mass-table", mechanism.p, mechanism.q)
                                          : pair_of_masses("mass-table", mechanism.q, mechanism.p));
}

namespace {

bool is_symmetric(const MassTable& table) { return pair_of_masses("mass-table", table.p, table.q)->symmetric(); }

}  // namespace

std::string describe(const TableInEitherOrder& mechanism) {
  return describe(mechanism.table) + (is_symmetric(mechanism.table) ? "" : " in either order");
}

PairPtr dominating_pair(const TableInEitherOrder& mechanism, Direction) {
  return unless_equal(mechanism.table, pair_in_either_order("mass-table", mechanism.table.p, mechanism.table.q));
}

LawKind law_kind(const TableInEitherOrder& mechanism) {
  return {.attained = is_symmetric(mechanism.table) ? Attainment::together : Attainment::alone, .guarantee = true};
}

std::optional<MassTable> witness(const TableInEitherOrder& mechanism) { return mechanism.table; }

}  // namespace pld
