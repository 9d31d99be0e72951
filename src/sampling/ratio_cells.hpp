#pragma once

#include <utility>
#include <vector>

#include "core/side.hpp"
#include "sampling/ratio_law.hpp"

namespace pld {

/// Added to each mass of an upper law, for all that underflowed: at most 1e8 terms, each off by a smallest double. What
/// is less is left out of a lower one.
inline constexpr double least_mass = 1e-300;

/// Q masses and first moments, from the lower node, of what lies between consecutive nodes.
struct Cells {
  std::vector<double> nodes, masses, moments;
  std::vector<double> sum_errors;    ///< relative, of a mass, and of a moment as a sum of its terms
  std::vector<double> place_errors;  ///< of each term's ratio, relative to that ratio

  explicit Cells(std::vector<double> at)
      : nodes(std::move(at)),
        masses(nodes.size() - 1),
        moments(nodes.size() - 1),
        sum_errors(nodes.size() - 1),
        place_errors(nodes.size() - 1) {}
};

/// The law put on nodes from one side. Upper: each cell's mass goes to its two nodes with its mean kept, a spread,
/// which raises the mean of every convex function. Lower: it goes to its mean, a contraction, which lowers it.
[[nodiscard]] RatioLaw bounded_law(const Cells& cells, Side side);

}  // namespace pld
