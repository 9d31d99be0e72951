#include "sampling/ratio_cells.hpp"

#include <algorithm>

namespace pld {
namespace {

/// A cell's moment has digits from here on: below, its terms may have underflowed.
constexpr double least_moment = 1e-300;

/// A mean that may be off by more of itself is left out of a lower law.
constexpr double most_moved = 1e-9;

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
    law.masses[k] += mass * ((known ? 1 - share : 1) + cells.errors[k]);
    law.masses[k + 1] += mass * (share + cells.errors[k]);
  }
  return law;
}

RatioLaw contraction(const Cells& cells) {
  RatioLaw law;
  for (std::size_t k = 0; k < cells.masses.size(); ++k) {
    const double width = cells.nodes[k + 1] - cells.nodes[k];
    if (cells.masses[k] < least_mass || cells.masses[k] * width < least_moment || !(cells.errors[k] < 1)) continue;
    const double offset = std::clamp(cells.moments[k] / cells.masses[k], 0.0, width), mean = cells.nodes[k] + offset;
    const double moved = offset > 0 ? cells.errors[k] * width / mean + 4 * unit_roundoff : 0;
    // A mean next to 0 in a cell from 0 on is hardly known: its mass is next to none, and all others would pay for it.
    if (moved > most_moved) continue;
    law.ratios.push_back(mean);
    law.masses.push_back(cells.masses[k] * (1 - cells.errors[k]));
    law.ratio_error = std::max(law.ratio_error, moved);
  }
  return law;
}

}  // namespace

RatioLaw bounded_law(const Cells& cells, Side side) { return side == Side::upper ? spread(cells) : contraction(cells); }

}  // namespace pld
