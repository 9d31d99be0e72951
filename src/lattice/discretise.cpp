#include "lattice/discretise.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "lattice/chords.hpp"
#include "pairs/loss_cuts.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// Parts each interval between nodes is cut into: fine enough for the lower bound to lower its chords by little more
/// than the profile needs.
constexpr int cells_per_interval = 4;

/// So many are cut before they are weighed: few enough to stay in a cache.
constexpr std::size_t cells_at_once = 4096;

/// What a cell takes to be cut and to be placed with its chords, by both sides, and what a node takes, in points.
constexpr double points_to_place = 16, points_a_node = 2;

/// Intervals may widen where little tilted mass lies: widened ones add at most about this share to the error for each
/// doubling.
constexpr double widening_share = 0.005;

/// The point of a lattice nearest zero that has `anchor` on it.
double origin_for(double anchor, double spacing) { return anchor - std::round(anchor / spacing) * spacing; }

/// So many are held at once, of 24 bytes.
constexpr double most_cells = 2.5e6;

/// An atom, or a cell of the density part that lies in one interval of the nodes it was cut by, with its tilted weight.
/// The offset is the loss itself until it is placed.
using WeightedLoss = PlacedAtoms::Atom;

/// The node of one that was not cut by any.
constexpr std::size_t unplaced = std::numeric_limits<std::uint32_t>::max();

WeightedLoss tilted(const LossCell& cell, double tilt, double log_scale) {
  const double exponent = cell.log_mass + tilt * cell.loss - log_scale;
  constexpr double last = 700;  // all weights together are 1 or less, but for rounding
  if (!(exponent < last)) throw WorkSpent("a tilt so high that weights have no digits");
  // 16 u (1 + |log_mass|) of the cell itself, and the round-off of the exponent.
  const double error =
      (20 + 20 * std::fabs(cell.log_mass) + 4 * std::fabs(tilt * cell.loss) + 4 * std::fabs(log_scale)) * unit_roundoff;
  return {unplaced, cell.loss, std::exp(exponent), error};
}

/// How wide an interval from a loss may be: 1, 2, 4, ... spacings.
class Widening {
 public:
  Widening(const CutPair& release, double tilt, double spacing)
      : tails_(release.cumulant.tails(tilt)),
        spacing_(spacing),
        widest_(std::min(0.25 / (1 + tilt), (release.cut.highest - release.cut.lowest) / 64) / spacing) {}

  [[nodiscard]] std::int64_t from(double loss) const {
    double width = 1;
    while (2 * width <= widest_ && mass(loss, loss + 2 * width * spacing_) * 4 * width * width <= widening_share)
      width *= 2;
    return static_cast<std::int64_t>(width);
  }

 private:
  /// Bound on the mass in an interval and all beyond it, on the side where there is less.
  [[nodiscard]] double mass(double low, double high) const {
    const auto begin = tails_.loss.begin();
    const auto first = static_cast<std::size_t>(std::lower_bound(begin, tails_.loss.end(), low) - begin);
    const auto last = static_cast<std::size_t>(std::upper_bound(begin, tails_.loss.end(), high) - begin);
    const double above = first > 0 ? tails_.above[first - 1] : 1.0;
    const double below = last < tails_.loss.size() ? tails_.below[last] : 1.0;
    return std::min(above, below);
  }

  Cumulant::Tails tails_;
  double spacing_, widest_;
};

/// Nodes from below `lowest` to above `highest`: clearly so, by more than indices and positions are rounded by, since
/// nearly all mass may lie within rounding of a hard edge. No more than `most` and one more.
std::vector<std::int64_t> nodes_over(LossRange range, double origin, double spacing, const Widening& widening,
                                     double most) {
  const double below = (range.lowest - origin) / spacing, above = (range.highest - origin) / spacing;
  const auto clear = [](double index) { return 0.01 + 8 * unit_roundoff * std::fabs(index); };
  std::vector<std::int64_t> nodes;
  auto node = static_cast<std::int64_t>(std::floor(below - clear(below)));
  const auto last = static_cast<std::int64_t>(std::ceil(above + clear(above)));
  while (true) {
    nodes.push_back(node);
    if (node >= last || static_cast<double>(nodes.size()) > most) return nodes;
    node += widening.from(origin + static_cast<double>(node) * spacing);
  }
}

/// For a law of atoms only: the two nodes around each.
std::vector<std::int64_t> nodes_around(const std::vector<WeightedLoss>& atoms, double origin, double spacing) {
  std::vector<std::int64_t> nodes;
  for (const WeightedLoss& atom : atoms) {
    const double index = (atom.offset - origin) / spacing;
    nodes.push_back(static_cast<std::int64_t>(std::floor(index)));
    nodes.push_back(nodes.back() + 1);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

/// Puts atoms and cells, sorted by loss, between the nodes. An atom within the accuracy of its loss of a node is
/// put on it, which the position error covers. For the upper bound a cell keeps the interval it was cut from, its
/// barycentre rounded up: connecting the dots is monotone in the barycentre. P masses are counted from where an item is
/// put, so that the tilt over what it was moved by, at most 2 `snap`, is an error of its weight.
void place(std::vector<WeightedLoss> all, Side side, double loss_error, PlacedAtoms& out) {
  const double largest = std::max(std::fabs(out.position(0)), std::fabs(out.position(out.nodes.size() - 1)));
  const double snap = loss_error + 32 * unit_roundoff * largest;
  const double moved = std::expm1(2 * std::fabs(out.tilt) * snap);
  if (!(moved < infinity)) {  // weights of no digits: anything may lie anywhere
    out.slack = infinity;
    return;
  }
  out.position_error += snap + loss_error;
  std::size_t node = 0;
  for (WeightedLoss& item : all) {
    const double loss = item.offset;
    item.set_error(static_cast<double>(item.error) + moved);
    if (side == Side::upper && item.node != unplaced) {
      const double d = out.position(item.node + 1) - out.position(item.node);
      item.offset = std::min(std::clamp(loss - out.position(item.node), 0.0, d) + snap, d);
      continue;
    }
    while (node + 1 < out.nodes.size() && out.position(node + 1) <= loss + snap) ++node;
    const double offset = loss - out.position(node);
    const bool last = node + 1 == out.nodes.size();
    if (last)  // takes what lies beyond it (a lower bound's cells): P mass moved down
      item.weight *= std::exp(-out.tilt * std::max(offset, 0.0));
    item.node = static_cast<std::uint32_t>(node);
    item.offset = last || offset <= snap ? 0.0 : offset;
  }
  out.atoms = std::move(all);
}

/// The loss that the lower bound's lattice should hit: the heaviest atom, or the barycentre of the heaviest interval
/// (often a hard edge of the loss with nearly all mass beside it).
double heaviest_barycentre(const std::vector<WeightedLoss>& cells, double tilt, double spacing) {
  std::size_t best_begin = 0, best_end = 1, begin = 0;
  double best = -1, mass = 0;
  for (std::size_t end = 0; end < cells.size(); ++end) {
    mass += cells[end].weight;
    while (cells[end].offset - cells[begin].offset > 0.8 * spacing) mass -= cells[begin++].weight;
    if (mass > best) best = mass, best_begin = begin, best_end = end + 1;
  }
  const double base = cells[best_begin].offset;
  double p = 0, gap = 0;  // P less Q mass, relative to the first loss: log(p / q) keeps its digits
  for (std::size_t i = best_begin; i < best_end; ++i) {
    const double up = cells[i].offset - base, mass_here = cells[i].weight * std::exp(-tilt * up);
    p += mass_here;
    gap -= mass_here * std::expm1(-up);
  }
  return p > 0 ? base - std::log1p(-gap / p) : base;
}

const WeightedLoss& heaviest(const std::vector<WeightedLoss>& atoms) {
  return *std::max_element(atoms.begin(), atoms.end(),
                           [](const WeightedLoss& a, const WeightedLoss& b) { return a.weight < b.weight; });
}

PlacedAtoms empty_frame(double origin, double spacing, double tilt, double log_scale) {
  PlacedAtoms out;
  out.tilt = tilt;
  out.spacing = spacing;
  out.origin = origin;
  out.log_scale = log_scale;
  return out;
}

LatticeMeasure measure(const PlacedAtoms& placed, Side side) {
  return side == Side::upper ? upper_measure(placed) : lower_measure(placed);
}

std::vector<WeightedLoss> tilted(const std::vector<LossCell>& cells, double tilt, double log_scale) {
  std::vector<WeightedLoss> out;
  out.reserve(cells.size());
  for (const LossCell& cell : cells) out.push_back(tilted(cell, tilt, log_scale));
  return out;
}

/// Where the density part's upper lattice starts: a hard edge where there is one, or the end of the cut next to it
/// where no node is as far away.
double edge_for(LossRange range, LossRange cut, double spacing) {
  const double edge = range.lowest > -infinity ? range.lowest : range.highest < infinity ? range.highest : 0.0;
  return reaches(spacing, {edge, edge}) ? edge : std::clamp(edge, cut.lowest, cut.highest);
}

/// Tilted mass below the cut, which no cell or atom carries.
double mass_cut_below(const CutPair& release, double tilt, double log_scale) {
  if (release.cut.lowest <= release.pair->range().lowest) return 0;
  return std::exp(release.pair->below(release.cut.lowest).log_mass + tilt * release.cut.lowest - log_scale) *
         (1 + 1e-9);
}

/// The most that a cell whose weight underflows at its barycentre may weigh elsewhere in it: where the tilt over a cell
/// is large, nearly all of its tilted mass lies far from its barycentre.
double mass_underflown(LossCell cell, double low, double high, double tilt, double log_scale) {
  cell.loss = tilt > 0 ? high : low;
  const WeightedLoss most = tilted(cell, tilt, log_scale);
  return most.weight * (1 + static_cast<double>(most.error));
}

/// Edges of the cells that the density is cut into: each interval between nodes in equal parts, none above the cut,
/// where the caller's account of the rest begins.
std::vector<double> cell_edges(const std::vector<std::int64_t>& nodes, double origin, double spacing, double highest) {
  std::vector<double> edges;
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    const double a = static_cast<double>(nodes[i]), d = static_cast<double>(nodes[i + 1] - nodes[i]);
    for (int part = 0; part < cells_per_interval; ++part)
      edges.push_back(origin + (a + d * part / cells_per_interval) * spacing);
  }
  edges.push_back(origin + static_cast<double>(nodes.back()) * spacing);
  for (double& edge : edges) edge = std::min(edge, highest);
  return edges;
}

}  // namespace

/// Atoms and cells with their tilted weights, before either side places them.
struct CutLaw::Weighed {
  const CutPair& release;
  double spacing = 0, tilt = 0, log_scale = 0, anchor = 0, slack = 0, underflown = 0;
  double of_cells = 0;              ///< what their losses may be off by besides
  std::vector<WeightedLoss> all{};  ///< by increasing loss
  bool has_atoms = false;
  std::optional<Widening> widening{};  ///< of a density
  std::vector<std::int64_t> nodes{};   ///< between which the density was cut

  void cut_density(double& points_left);
  [[nodiscard]] PlacedAtoms placed(Side side) const;
};

void CutLaw::Weighed::cut_density(double& points_left) {
  const DominatingPair& pair = *release.pair;
  const double origin = origin_for(anchor, spacing);
  widening.emplace(release, tilt, spacing);
  const double points_a_cell = points_of_cell(pair) + points_to_place;
  const double most_nodes = std::min(most_cells, points_left / points_a_cell) / cells_per_interval;
  nodes = nodes_over(release.cut, origin, spacing, *widening, most_nodes);
  spend(points_a_node * static_cast<double>(nodes.size()), points_left);
  if (static_cast<double>(nodes.size()) > most_nodes) throw WorkSpent{};
  const double cell_count = static_cast<double>(cells_per_interval * nodes.size());
  const double range = static_cast<double>(nodes.back() - nodes.front()) * spacing;  // wide cells go in pieces
  spend(points_a_cell * cell_count + (points_of_cell(pair) - points_of_gaussian_cell) * range, points_left);
  const double last = release.cut.highest < pair.range().highest ? release.cut.highest : infinity;
  const std::vector<double> edges = cell_edges(nodes, origin, spacing, last);
  const std::vector<WeightedLoss> atoms = std::move(all);
  all = {};
  all.reserve(edges.size() + atoms.size());
  double highest = -infinity;  // so far: barycentres that are neighbours may be out of order by their round-off
  std::vector<LossCell> cells;
  for (std::size_t first = 0; first + 1 < edges.size(); first += cells_at_once) {
    const auto part = std::span(edges).subspan(first, std::min(cells_at_once + 1, edges.size() - first));
    cells.clear();
    pair.cells(part, cells);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (cells[i].log_mass == -infinity) continue;
      cells[i].loss = highest = std::max(highest, cells[i].loss);
      WeightedLoss cell = tilted(cells[i], tilt, log_scale);
      cell.node = static_cast<std::uint32_t>((first + i) / cells_per_interval);
      const double low = part[i], high = part[i + 1];
      if (cell.weight > 0)
        all.push_back(cell), of_cells = std::max(of_cells, barycentre_error(cells[i], high - low));
      else
        underflown += mass_underflown(cells[i], low, high, tilt, log_scale);
    }
  }
  const auto cells_end = static_cast<std::ptrdiff_t>(all.size());
  all.insert(all.end(), atoms.begin(), atoms.end());
  std::inplace_merge(all.begin(), all.begin() + cells_end, all.end(), [](const WeightedLoss& a, const WeightedLoss& b) {
    return a.offset != b.offset ? a.offset < b.offset : a.node == unplaced && b.node != unplaced;
  });
}

CutLaw::CutLaw(const CutPair& release, double spacing, double tilt, double& points_left) {
  const DominatingPair& pair = *release.pair;
  if (!reaches(spacing, release.cut)) throw WorkSpent{};
  auto all = std::make_unique<Weighed>(
      Weighed{.release = release, .spacing = spacing, .tilt = tilt, .log_scale = release.cumulant.at(tilt).value});
  std::vector<WeightedLoss>& atoms = all->all;
  atoms = tilted(pair.atoms(release.cut), tilt, all->log_scale);
  std::stable_sort(atoms.begin(), atoms.end(),
                   [](const WeightedLoss& a, const WeightedLoss& b) { return a.offset < b.offset; });
  const double points = (points_of_gaussian_cell + points_to_place) * static_cast<double>(atoms.size());
  if (points > points_left) points_left = 0;  // what was done is not to be done again for a coarser lattice
  spend(points, points_left);
  all->has_atoms = !atoms.empty();
  all->anchor = all->has_atoms ? heaviest(atoms).offset : edge_for(pair.range(), release.cut, spacing);
  all->slack = mass_cut_below(release, tilt, all->log_scale) + release.cut_weight +
               1e-290;  // the latter for weights that underflowed
  if (pair.has_density()) all->cut_density(points_left);
  weighed_ = std::move(all);
}

CutLaw::~CutLaw() = default;

LatticeMeasure CutLaw::on_lattice(Side side) const { return measure(weighed_->placed(side), side); }

LatticeMeasure CutLaw::split_on_lattice() const { return split_measure(weighed_->placed(Side::lower)); }

double CutLaw::weight() const {
  double sum = 0;
  for (const WeightedLoss& one : weighed_->all) sum += one.weight;
  return sum;
}

PlacedAtoms CutLaw::Weighed::placed(Side side) const {
  const bool lower = side == Side::lower;
  double origin = origin_for(anchor, spacing);
  PlacedAtoms placed = empty_frame(origin, spacing, tilt, log_scale);
  placed.slack = lower ? slack : slack + underflown;
  if (all.empty()) return placed;
  // Sampling draws losses together: those that share an interval are then fused, as a density's cells are.
  if (lower && !(widening && has_atoms)) origin = origin_for(heaviest_barycentre(all, tilt, spacing), spacing);
  placed.origin = origin;
  if (!widening)
    placed.nodes = nodes_around(all, origin, spacing);
  else
    placed.nodes = lower && !has_atoms ? nodes_over(release.cut, origin, spacing, *widening, infinity) : nodes;
  placed.position_error = 4 * unit_roundoff * std::fabs(anchor);
  place(all, side, release.pair->loss_error(release.cut) + of_cells, placed);
  return placed;
}

LatticeMeasure regrid(const LatticeMeasure& fine, double spacing, Side side) {
  // Round-off noise of the transform is not worth carrying along: weights within it are dropped into the slack.
  const double noise = fine.pointwise;
  std::vector<WeightedLoss> all;
  for (std::size_t i = 0; i < fine.weights.size(); ++i)
    if (fine.weights[i] > noise)
      all.emplace_back(unplaced, fine.position(fine.first + static_cast<std::int64_t>(i)), fine.weights[i],
                       2 * unit_roundoff);

  const double origin = all.empty() ? 0.0 : origin_for(heaviest(all).offset, spacing);
  PlacedAtoms placed = empty_frame(origin, spacing, fine.tilt, fine.log_scale);
  placed.log_scale_error = fine.log_scale_error;
  placed.position_error = fine.position_error;
  placed.slack = fine.slack + 2 * noise * static_cast<double>(fine.weights.size());
  if (all.empty()) return measure(placed, side);
  const auto first = static_cast<std::int64_t>(std::floor((all.front().offset - origin) / spacing));
  const auto last = static_cast<std::int64_t>(std::ceil((all.back().offset - origin) / spacing)) + 1;
  for (std::int64_t node = first; node <= last; ++node) placed.nodes.push_back(node);
  place(std::move(all), side, 4 * unit_roundoff * std::fabs(fine.origin), placed);  // round-off of position()
  return measure(placed, side);
}

}  // namespace pld
