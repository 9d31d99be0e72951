#pragma once

#include <memory>
#include <vector>

#include "pld/core/rounding.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// One release as some cells of losses, and certified bounds of its moments from them.
///
/// E_P e^{tz} over a cell is E_Q r^{1+t}, r = e^z, convex in r for t > 0: at most its chord between the cell's ends,
/// with the cell's P and Q mass kept. The law with each cell moved to its barycentre is a post-processing, so that its
/// profile is at or below the release's.
class ReleaseMoments {
 public:
  /// Losses above `highest` are left out. About `most_cells` cells. Throws WorkSpent where cells over the whole range
  /// would take too long. The pair is to live as long: without it a law that goes on has no upper bound.
  ReleaseMoments(const PairPtr& pair, double highest, std::size_t most_cells);

  /// The points (docs/glossary.md) that a cell of a density takes where that is much; 0 of others, which count with
  /// what is read off them.
  [[nodiscard]] static double points_of_dear_cell(const DominatingPair& pair);

  /// The law of barycentres tilted by t: log E e^{tz}, mean and variance, each with a bound on its error (the variance
  /// as an upper bound).
  struct Tilted {
    double log_moment = 0, log_moment_error = 0;
    double mean = 0, mean_error = 0;
    double variance = 0;
  };
  [[nodiscard]] Tilted tilted(double t) const;

  /// Upper bound of log E_P [e^{tz}; z <= highest], t > 0: beyond the cells by DominatingPair::log_tail_moment.
  [[nodiscard]] double log_moment_upper(double t) const;

  /// Upper bounds of log E_P e^{-sz} over all losses at orders 0 < s <= 1 (concave in r: at most the barycentres'
  /// value).
  [[nodiscard]] std::vector<double> log_negative_moments_upper(const std::vector<double>& orders) const;

 private:
  struct Cell {
    double low = 0, high = 0, loss = 0, log_mass = -infinity;
    double log_at_high = -infinity, log_at_low = -infinity;  ///< its P mass moved to its ends, from above
  };
  /// Weights e^{log_mass + t loss} over their largest, and a bound on their relative error.
  struct Weights {
    double log_top = -infinity, error = 0;
    std::vector<double> value;
  };
  [[nodiscard]] Weights weights(double t, bool chords) const;
  void add_cell(LossRange ends, double loss, double log_mass, double share_at_high);
  void add_atoms(const std::vector<LossCell>& atoms, std::size_t most_cells);
  void add_density(const DominatingPair& pair, const std::vector<double>& edges);

  std::vector<Cell> cells_;  ///< in no order
  LossCell below_, beyond_;  ///< what lies below and above the cells, below only for laws of infinitely many atoms
  double lowest_ = 0;        ///< where below_ ends
  std::weak_ptr<const DominatingPair> pair_;
  double open_from_ = infinity;  ///< where the cells end of a law that goes on without having been cut
  double loss_error_ = 0;
};

}  // namespace pld
