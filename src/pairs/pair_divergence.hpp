#pragma once

#include <memory>

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

 private:
  const DominatingPair& pair_;
  std::unique_ptr<PairCells> cells_;
};

/// The same of a single order.
[[nodiscard]] Bracket renyi_of_pair(const DominatingPair& pair, double order, double tolerance);

}  // namespace pld
