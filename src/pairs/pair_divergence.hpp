#pragma once

#include <memory>
#include <vector>

#include "pairs/loss_grid.hpp"
#include "pld/core/bracket.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

class PairCells;

/// The Renyi divergences of one pair, which outlives it. Orders share the cells of the law; an object serves one
/// thread.
class PairDivergence {
 public:
  explicit PairDivergence(const DominatingPair& pair);
  ~PairDivergence();
  PairDivergence(PairDivergence&&) noexcept;
  PairDivergence& operator=(PairDivergence&&) = delete;

  /// For 0 < order < +inf, to a relative width of about `tolerance`.
  [[nodiscard]] Bracket renyi(double order, double tolerance);

  /// The finite losses, each interval of the outline cut into `parts`, and a bound on the error of each loss and edge.
  struct Losses {
    std::vector<LossGrid::Cell> cells;
    double doubt = 0;
  };
  [[nodiscard]] Losses losses(int parts);

 private:
  [[nodiscard]] PairCells& cells();

  const DominatingPair& pair_;
  std::unique_ptr<PairCells> cells_;
};

}  // namespace pld
