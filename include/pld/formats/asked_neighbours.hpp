#pragma once

#include <optional>

#include "pld/core/neighbours.hpp"

namespace pld {

/// What is asked about the neighbours where a text may say it too: refused where the text differs.
struct AskedNeighbours {
  std::optional<Relation> relation{};
  std::optional<double> group{};

  AskedNeighbours() = default;
  AskedNeighbours(Relation of) : relation(of) {}  // NOLINT(google-explicit-constructor): mostly it is all there is
  AskedNeighbours(std::optional<Relation> of, std::optional<double> records) : relation(of), group(records) {}

  /// What was asked, and else one record added or removed. Throws DomainError for a group out of range.
  [[nodiscard]] Neighbours neighbours() const { return {relation.value_or(Relation::add_remove), group.value_or(1)}; }
};

}  // namespace pld
