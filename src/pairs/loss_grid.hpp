#pragma once

#include <cstddef>
#include <vector>

#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// All finite losses of a pair as atoms and cells, cut between the losses of its outline, with the tails beyond.
class LossGrid {
 public:
  explicit LossGrid(const DominatingPair& pair) : LossGrid(pair, pair.outline()) {}
  /// The same, of the pair's outline, where that is known.
  LossGrid(const DominatingPair& pair, const std::vector<LossCell>& outline);

  /// Goes on to a loss beyond the last one.
  void extend(double loss) { losses_.push_back(loss); }

  /// By increasing loss; empty for a pair without finite losses.
  [[nodiscard]] const std::vector<double>& losses() const { return losses_; }

  /// A bound on the error of every loss and edge.
  [[nodiscard]] double doubt() const;

  /// An atom (low = high), or all with a density, or all of a tail, between two losses.
  struct Cell {
    LossCell of;
    double low = 0, high = 0;
  };
  /// All of it, each interval between losses cut into `parts`.
  [[nodiscard]] std::vector<Cell> cells(int parts) const;

  /// The atoms, with the tails of endless ones.
  [[nodiscard]] std::vector<Cell> atoms() const;

  /// What cuts a density into intervals, its range's ends included; empty where there is none.
  [[nodiscard]] std::vector<double> edges() const;

  /// The cells of the interval between an edge of edges() and the next, cut into `parts`. Both ends are looked for as
  /// in every other call: intervals cut at different times, and differently, have no outcome twice and leave none out.
  [[nodiscard]] std::vector<Cell> cut(const std::vector<double>& edges, std::size_t interval, int parts) const;

 private:
  [[nodiscard]] LossRange atom_window() const;

  const DominatingPair& pair_;
  LossRange range_;
  std::vector<double> losses_;
};

}  // namespace pld
