#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "account/lattice_total.hpp"
#include "account/total_reading.hpp"
#include "pairs/term.hpp"
#include "pld/account/composition.hpp"

namespace pld {

/// One lattice on which each law is cut once, however many compositions of them are asked: each of those costs its
/// convolution, with one transform a law whatever its count. Safe to share between threads.
class CommonLattice {
 public:
  explicit CommonLattice(const TotalGrid& grid) : grid_(grid) {}

  /// null where too little work is left. Domain: one term or more.
  [[nodiscard]] std::shared_ptr<const TotalReading> composed(const Terms& terms) const;

  /// The epsilon of all terms for a delta in (0, 1), and of all but each in turn, on a lattice
  /// of that spacing or its own, if that is wider: three convolutions a term. None where too little work is left.
  /// Domain: two terms or more.
  struct WithoutEach {
    Bracket all;
    std::vector<Bracket> without;
  };
  [[nodiscard]] std::optional<WithoutEach> without_each(const Terms& terms, double delta, double spacing) const;

 private:
  /// Throws WorkSpent where too little work is left, or the laws cut so far take too much memory.
  [[nodiscard]] const LatticeTotal& one(const PairPtr& pair) const;

  TotalGrid grid_;
  mutable std::mutex cutting_;
  mutable std::map<PairPtr, LatticeTotal> cut_;  ///< one release of each law
  mutable std::size_t weights_ = 0;              ///< of all these
};

using CommonLatticePtr = std::shared_ptr<const CommonLattice>;

/// The grid for compositions of most of the releases, where log delta is to be within about `tolerance` times its size
/// for `delta`.
[[nodiscard]] TotalGrid grid_for_kinds(const Composition& composition, double delta, double tolerance);

}  // namespace pld
