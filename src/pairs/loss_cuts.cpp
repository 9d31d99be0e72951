#include "pairs/loss_cuts.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "pld/core/rounding.hpp"

namespace pld {

double border_doubt(const DominatingPair& pair, double loss) {
  return 2 * pair.edge_error(loss) + 4 * unit_roundoff * std::fabs(loss);
}

std::vector<LossCell> cells_between(const DominatingPair& pair, std::vector<double> edges) {
  if (edges.back() >= pair.range().highest) edges.back() = infinity;
  std::vector<LossCell> cells;
  pair.cells(edges, cells);
  return cells;
}

bool cells_take_long(const DominatingPair& pair, LossRange range) {
  return pair.cell_cost() > 1 && !(range.highest - range.lowest < 2e4);
}

double upper_cut(const DominatingPair& pair, const std::vector<LossCell>& outline, double log_mass, double log_q_mass,
                 double start) {
  const LossRange range = pair.range();
  if (std::max(log_mass, log_q_mass) >= 0) return range.lowest;  // no mass is more than 1
  const auto beyond = [&](double z) {
    const LossCell above = pair.above(z);
    return above.log_mass > log_mass && above.log_q_mass > log_q_mass;
  };
  // The outline's cells are tried first: they lie where the law does, whatever the orders of magnitude of its losses.
  const auto cut =
      std::partition_point(outline.begin(), outline.end(), [&](const LossCell& c) { return beyond(c.loss); });
  const bool has_before = cut != outline.begin(), has_after = cut != outline.end();
  double low = has_before ? std::prev(cut)->loss : std::min(start, range.highest);
  for (double step = 1 + std::fabs(start); !has_before && !beyond(low); step *= 2) {
    if (low <= range.lowest) return range.lowest;
    low = std::max(low - step, range.lowest);
  }
  if (range.highest < infinity && beyond(std::nextafter(range.highest, -infinity))) return range.highest;
  double high = has_before && has_after ? cut->loss : low;
  for (double step = 1e-3 * (1 + std::fabs(start)); beyond(high) && high < range.highest; step *= 2)
    high = std::min(low + step, range.highest);
  for (int i = 0; i < 30 && high - low > 1e-3 * std::fabs(high - start); ++i) {
    const double middle = low + (high - low) / 2;
    (beyond(middle) ? low : high) = middle;
  }
  // As sampling may squeeze the losses of many atoms together at an end, cuts between the outline's cells are tried
  // too; and are taken where an atom next to the cut would be on both sides of it.
  if (!has_after || std::next(cut) == outline.end()) return high;
  const double between = cut->loss + (std::next(cut)->loss - cut->loss) / 2;
  return std::fabs(high - cut->loss) <= 2 * border_doubt(pair, cut->loss) ? between : std::min(high, between);
}

}  // namespace pld
