#include "sampling/ratio_cells.hpp"

#include <algorithm>

namespace pld {
namespace {

/// A cell's moment has digits from here on: below, its terms may have underflowed.
constexpr double least_moment = 1e-300;
/// More than 1e8 smallest doubles.
constexpr double underflowed = 1e-307;

RatioLaw spread(const Cells& cells) {
  RatioLaw law;
  law.ratios = cells.nodes;
  law.masses.assign(cells.nodes.size(), least_mass);
  for (std::size_t k = 0; k < cells.masses.size(); ++k) {
    const double mass = cells.masses[k], width = cells.nodes[k + 1] - cells.nodes[k];
    if (mass < 1e-3 * least_mass) continue;
    // Where the moment says nothing all of the mass goes to either node.
    const bool known = mass * width >= least_moment;
    const double share = known ? std::clamp(cells.moments[k] / mass / width, 0.0, 1.0) : 1;
    const double error = 2 * cells.sum_errors[k];
    law.ratio_error = std::max(law.ratio_error, cells.place_errors[k]);
    law.masses[k] += mass * ((known ? 1 - share : 1) + error);
    // A moment is off by a share of itself, and by what underflowed: of all mass, far out, that would be much of P's.
    law.masses[k + 1] += mass * share * (1 + error) + (known ? underflowed / width : 0);
  }
  return law;
}

RatioLaw contraction(const Cells& cells) {
  RatioLaw law;
  for (std::size_t k = 0; k < cells.masses.size(); ++k) {
    const double width = cells.nodes[k + 1] - cells.nodes[k], sum_error = cells.sum_errors[k];
    if (cells.masses[k] < least_mass || cells.masses[k] * width < least_moment || !(sum_error < 1)) continue;
    const double offset = std::clamp(cells.moments[k] / cells.masses[k], 0.0, width);
    law.ratios.push_back(cells.nodes[k] + offset);
    law.masses.push_back(cells.masses[k] * (1 - sum_error));
    // The mean of ratios each off by a share of itself is off by no more than that share of the mean.
    law.ratio_error = std::max(law.ratio_error, 3 * sum_error + cells.place_errors[k] + 4 * unit_roundoff);
  }
  return law;
}

}  // namespace

RatioLaw bounded_law(const Cells& cells, Side side) { return side == Side::upper ? spread(cells) : contraction(cells); }

}  // namespace pld
