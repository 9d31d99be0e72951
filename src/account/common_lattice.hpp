#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "account/lattice_total.hpp"
#include "account/total_reading.hpp"
#include "pairs/term.hpp"
#include "pld/account/composition.hpp"
#include "pld/core/direction.hpp"

namespace pld {

/// One lattice on which each law is cut once, however many compositions of them are asked: each of those costs its
/// convolution. Safe to share between threads.
class CommonLattice {
 public:
  explicit CommonLattice(const TotalGrid& grid) : grid_(grid) {}

  /// Domain: one term or more.
  [[nodiscard]] std::shared_ptr<const TotalReading> composed(const Terms& terms) const;

  /// The epsilon of all terms for a delta in (0, 1), and of all but each in turn, on a lattice
  /// of that spacing or its own, if that is wider: three convolutions a term. Domain: two terms or more.
  struct WithoutEach {
    Bracket all;
    std::vector<Bracket> without;
  };
  [[nodiscard]] WithoutEach without_each(const Terms& terms, double delta, double spacing) const;

 private:
  [[nodiscard]] LatticeTotal one(const Term& term) const;

  TotalGrid grid_;
  mutable std::mutex cutting_;
  mutable std::map<std::pair<PairPtr, std::int64_t>, LatticeTotal> cut_;
};

using CommonLatticePtr = std::shared_ptr<const CommonLattice>;

/// The grid on which each of the releases, alone as often as it is repeated, is composed and then rounded: one for
/// `delta`, where log delta is to be within about `tolerance` times its size.
[[nodiscard]] TotalGrid grid_for_kinds(const Composition& composition, double delta, double tolerance);

/// One release as often as it is repeated, for such a grid.
[[nodiscard]] TotalGrid finer_for(const TotalGrid& grid, std::int64_t count);

}  // namespace pld
