#pragma once

#include <vector>

#include "numeric/log_doubt.hpp"
#include "pld/core/rounding.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// The smallest loss above which one release has at most e^log_mass of P or at most e^log_q_mass of Q (to about 1e-3 of
/// the distance searched from `start`). It moves to a cut between two cells of the outline where one is near.
[[nodiscard]] double upper_cut(const DominatingPair& pair, const std::vector<LossCell>& outline, double log_mass,
                               double log_q_mass, double start);

/// How much earlier or later than said the outcomes above a loss may begin.
[[nodiscard]] double border_doubt(const DominatingPair& pair, double loss);

/// What a cell's loss may be off by besides loss_error(), see DominatingPair, of a cell so wide.
[[nodiscard]] inline double barycentre_error(const LossCell& cell, double width) {
  return cell.log_q_mass > -infinity && width < infinity ? mass_error(cell.log_q_mass) * width : 0;
}

/// The pair's cells between edges. Where the last edge is the largest loss of all the last cell has what lies there,
/// too: an edge next to it may be off by much of the mass.
[[nodiscard]] std::vector<LossCell> cells_between(const DominatingPair& pair, std::vector<double> edges);

/// The points (docs/glossary.md) that a cell takes: of a Gaussian, and of this pair.
inline constexpr double points_of_gaussian_cell = 8;
[[nodiscard]] inline double points_of_cell(const DominatingPair& pair) {
  return points_of_gaussian_cell * pair.cell_cost();
}

/// Whether masses over such a range would take more than a second: a pair of costly cells integrates wide ones in
/// pieces, some for each unit of loss.
[[nodiscard]] bool cells_take_long(const DominatingPair& pair, LossRange range);

}  // namespace pld
