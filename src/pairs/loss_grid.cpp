#include "pairs/loss_grid.hpp"

#include <algorithm>

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
  std::vector<Cell> all = atoms();
  const std::vector<double> ends = edges();
  if (ends.empty()) return all;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    const std::vector<Cell> interval = cut(ends, i, parts);
    all.insert(all.end(), interval.begin(), interval.end());
  }
  return all;
}

std::vector<LossGrid::Cell> LossGrid::atoms() const {
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
  return all;
}

/// The outline's, of atoms without end.
LossRange LossGrid::atom_window() const {
  if (losses_.empty()) return range_;
  return {range_.lowest > -infinity ? range_.lowest : losses_.front(),
          range_.highest < infinity ? range_.highest : losses_.back()};
}

std::vector<double> LossGrid::edges() const {
  if (!pair_.has_density() || losses_.empty()) return {};
  std::vector<double> edges{range_.lowest};
  for (const double loss : losses_)
    if (edges.back() < loss && loss < range_.highest) edges.push_back(loss);
  edges.push_back(range_.highest);
  return edges;
}

std::vector<LossGrid::Cell> LossGrid::cut(const std::vector<double>& edges, std::size_t interval, int parts) const {
  std::vector<double> ends = in_parts({edges[interval], edges[interval + 1]}, static_cast<std::size_t>(parts));
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  // All of the density: right at the range's ends, rounding may leave a part of it out.
  std::vector<double> whole = ends;
  if (interval == 0) whole.front() = -infinity;
  if (interval + 2 == edges.size()) whole.back() = infinity;
  std::vector<LossCell> found;
  pair_.cells(whole, found);
  std::vector<Cell> out;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (!is_empty(found[i])) out.push_back({found[i], ends[i], ends[i + 1]});
  return out;
}

}  // namespace pld
