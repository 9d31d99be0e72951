#pragma once

#include <vector>

#include "pairs/pair_divergence.hpp"
#include "pairs/term.hpp"
#include "pld/account/composition.hpp"

namespace pld {

/// The Renyi divergences of what the pairs of a composition compose to. Orders share the cells of its laws.
class CompositionDivergence {
 public:
  CompositionDivergence(const Composition& composition, DirectionChoice direction);

  /// For 0 < order < +inf: the larger of the directions asked for, to a relative width of about `tolerance`.
  [[nodiscard]] Bracket renyi(double order, double tolerance);

  /// A lower bound of that of an order > 1 that costs nothing; 0 where none is known.
  [[nodiscard]] double least(double order) const;

 private:
  struct Directed {
    Terms terms;
    bool is_infinite;  ///< from order 1 on, whatever is known apart from pairs
    std::vector<PairDivergence> of_terms;
  };
  std::vector<Directed> directed_;
};

}  // namespace pld
