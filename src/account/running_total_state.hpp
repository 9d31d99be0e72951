#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "account/lattice_total.hpp"
#include "account/release_cells.hpp"
#include "pld/account/composition.hpp"
#include "pld/account/total_grid.hpp"

namespace pld {

/// What a running total holds.
struct RunningTotalState {
  static constexpr std::size_t most_listed = 128;

  TotalGrid grid;
  Composition listed;  ///< neither in the boxes nor in the totals
  JoinedGaussians gaussians{};
  ReleaseCells cells{};
  LatticeTotal remove{};
  std::optional<LatticeTotal> add{};  ///< the same as `remove` while it is not there: all are symmetric
  bool on_lattice = false;            ///< whether the totals hold anything
  bool exact_on_lattice = true;       ///< whether one pair of neighbours attains all that they hold

  /// Puts releases into the joined Gaussians or the boxes; false where neither takes the mechanism.
  bool box(const Mechanism& mechanism, std::int64_t count);

  /// Takes the release that was listed last off the list.
  void unlist_last();

  /// Puts what the boxes take there, and everything on the lattice where the rest is still too long.
  void shorten();

  /// As RunningTotal::fold(). Where it throws nothing has changed.
  void fold();

  /// Takes over what another total of the same grid has beside its list.
  void take(const RunningTotalState& other);

  /// The text of a listed mechanism.
  [[nodiscard]] std::string first_on_no_lattice() const;

  /// What is not on the lattice, each release between two pairs.
  [[nodiscard]] std::vector<BoundedRelease> pending(Direction direction) const;

  /// The list with one of the two pairs of each box.
  [[nodiscard]] Composition bound(PairPtr BoundedRelease::*side) const;

  /// The direction's total.
  [[nodiscard]] LatticeTotal& total(Direction direction);
};

}  // namespace pld
