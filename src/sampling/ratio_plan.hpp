#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "sampling/joined_ratios.hpp"

namespace pld {

/// What of a ratio's law a question depends on: the second derivative of what is asked for in r, up to a factor, as
/// e^{slope z - (z - centre)^2 / (2 spread^2)} of z = log r.
struct RatioWeight {
  double slope = 0, centre = 0, spread = infinity;
};

/// How a ratio is made of independent copies of a pair's: each part but the first joins two before it.
class RatioPlan {
 public:
  explicit RatioPlan(PairPtr pair) : pair_(std::move(pair)) {}

  static constexpr std::size_t base = 0;

  /// The part that is so many copies of a part together, by doubling; returns its place. times >= 1. A product is of
  /// means.
  std::size_t add_copies(Join how, std::size_t of, std::int64_t times);
  std::size_t add(Join how, std::size_t left, std::size_t right);

  /// Makes nodes dense where they tell the most of the last part, by coarse runs forward and back: without this, they
  /// are where each part's mass is.
  void place_nodes(const RatioWeight& weight);

  /// The law of the last part's mean.
  [[nodiscard]] RatioLaw law(Side side, int count) const;

 private:
  struct Part {
    Join how;
    std::size_t left, right;
  };
  [[nodiscard]] std::vector<PlacedRatio> run(Side side, int count) const;
  [[nodiscard]] std::vector<std::vector<double>> second_derivatives(const std::vector<PlacedRatio>& rough,
                                                                    std::vector<double> of_whole) const;

  PairPtr pair_;
  std::vector<Part> parts_;  ///< the one at place i + 1 is parts_[i]
  std::vector<NodeMap> maps_;
};

}  // namespace pld
