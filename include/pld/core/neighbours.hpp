#pragma once

#include "pld/core/relation.hpp"

namespace pld {

/// Which data sets are neighbours where a group of records changes at once: one has up to `group` records more than the
/// other, or up to so many records differ, or are null in the other. A relation alone stands for a group of one record.
struct Neighbours {
  static constexpr int largest_group = 1000;

  Relation relation = Relation::add_remove;
  int group = 1;

  constexpr Neighbours() = default;
  constexpr Neighbours(Relation of) : relation(of) {}  // NOLINT(google-explicit-constructor): one record is the rule

  /// Throws DomainError unless `records` is a whole number from 1 to largest_group.
  Neighbours(Relation of, double records);

  friend constexpr bool operator==(const Neighbours&, const Neighbours&) = default;
};

}  // namespace pld
