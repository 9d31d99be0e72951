#include "pairs/loss_grid.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "pairs/outline_cells.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

double middle(const LossCell& a, const LossCell& b) { return a.loss + (b.loss - a.loss) / 2; }

bool is_empty(const LossCell& cell) { return cell.log_mass == -infinity && cell.log_q_mass == -infinity; }

}  // namespace

LossGrid::LossGrid(const DominatingPair& pair, const std::vector<LossCell>& outline)
    : pair_(pair), range_(pair.range()) {
  for (const LossCell& cell : outline)
    if (!is_empty(cell)) losses_.push_back(cell.loss);
  std::sort(losses_.begin(), losses_.end());
  losses_.erase(std::unique(losses_.begin(), losses_.end()), losses_.end());
}

double LossGrid::doubt() const {
  if (losses_.empty()) return 0;
  return pair_.loss_error({std::max(range_.lowest, losses_.front()), std::min(range_.highest, losses_.back())});
}

std::vector<LossGrid::Cell> LossGrid::cells(int parts) const {
  std::vector<Cell> all;
  const auto add = [&](const LossCell& cell, double low, double high) {
    if (!is_empty(cell)) all.push_back({cell, low, high});
  };
  std::vector<LossCell> atoms = pair_.atoms(atom_window());
  if (!pair_.has_density() && atoms.size() > 2) {
    // Beyond the first and the last atom there may be more. Tails begin in the middle of a gap: right at an atom,
    // rounding may leave that on either side.
    const double left = middle(atoms[0], atoms[1]), right = middle(atoms[atoms.size() - 2], atoms.back());
    const double further_left = 2 * atoms.front().loss - left, further_right = 2 * atoms.back().loss - right;
    const bool left_tail = range_.lowest == -infinity && !is_empty(pair_.below(further_left));
    const bool right_tail = range_.highest == infinity && !is_empty(pair_.above(further_right));
    atoms = pair_.atoms({left_tail ? left : further_left, right_tail ? right : further_right});
    if (left_tail) add(pair_.below(left), -infinity, left);
    if (right_tail) add(pair_.above(right), right, infinity);
  }
  for (const LossCell& atom : atoms) add(atom, atom.loss, atom.loss);
  if (pair_.has_density() && !losses_.empty()) {
    const std::vector<double> ends = edges(parts);
    // All of the density: right at the range's ends, rounding may leave a part of it out.
    std::vector<double> whole = ends;
    whole.front() = -infinity, whole.back() = infinity;
    std::vector<LossCell> found;
    pair_.cells(whole, found);
    for (std::size_t i = 0; i < found.size(); ++i) add(found[i], ends[i], ends[i + 1]);
  }
  return all;
}

/// The outline's, of atoms without end.
LossRange LossGrid::atom_window() const {
  if (losses_.empty()) return range_;
  return {range_.lowest > -infinity ? range_.lowest : losses_.front(),
          range_.highest < infinity ? range_.highest : losses_.back()};
}

std::vector<double> LossGrid::edges(int parts) const {
  std::vector<double> ends{range_.lowest};
  std::copy_if(losses_.begin(), losses_.end(), std::back_inserter(ends),
               [&](double loss) { return range_.lowest < loss && loss < range_.highest; });
  ends.push_back(range_.highest);
  std::vector<double> edges = in_parts(ends, static_cast<std::size_t>(parts));
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return edges;
}

}  // namespace pld
