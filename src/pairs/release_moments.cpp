#include "pairs/release_moments.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/work.hpp"
#include "numeric/exp_or_zero.hpp"
#include "numeric/log_bound.hpp"
#include "pairs/loss_cuts.hpp"
#include "pairs/outline_cells.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// Weights this much lighter than the heaviest do not count for the round-off.
constexpr double light = -80;

}  // namespace

ReleaseMoments::ReleaseMoments(const PairPtr& pair, double highest, std::size_t most_cells) : pair_(pair) {
  constexpr std::size_t few = 64;  // an outline's own cells are wide where its losses are likely
  const LossRange range = pair->range();
  highest = std::min(highest, range.highest);
  std::vector<double> edges;
  LossRange outlined;
  if (pair->has_density() && most_cells < few) {
    edges = few_edges(*pair, highest, most_cells);
    if (edges.size() > 2) outlined = {edges[1], edges[edges.size() - 2]};
  } else {
    // Where each has few cells there are thousands of kinds, whose outlines together are too much to keep.
    const auto outline =
        most_cells < few ? std::make_shared<const std::vector<LossCell>>(pair->outline()) : finer_outline(pair, 1);
    outlined = {outline->front().loss, outline->back().loss};
    const std::size_t stride = 1 + outline->size() / most_cells,
                      parts = std::max<std::size_t>(1, most_cells / outline->size());
    if (pair->has_density()) edges = in_parts(edges_between(*outline, highest, stride), parts);
  }
  double lowest = std::min(std::max(range.lowest, outlined.lowest), highest);
  if (!pair->has_density()) {
    // An outline may begin with several atoms as one, all that weighs anything among them: then from the lowest on. An
    // atom at `lowest` may be in this too, by rounding: it only ever is added to upper bounds.
    below_ = pair->below(std::nextafter(lowest, -infinity));
    if (below_.log_mass > light && range.lowest > -infinity) {
      lowest = range.lowest;
      below_ = {};
    }
    lowest_ = lowest;
  }
  // Atoms go on for as long as their border is far; what lies beyond the outline is told by its moment.
  const double end = std::max(lowest, outlined.highest),
               last = highest < infinity && pair->has_density() ? highest : std::min(highest, end);
  loss_error_ = pair->loss_error({lowest, last});
  if (pair->has_density()) {
    const double farthest = std::max(highest < infinity ? highest : -infinity, outlined.highest);
    if (cells_take_long(*pair, {lowest, farthest})) throw WorkSpent{};
    add_density(*pair, edges);
    add_atoms(pair->atoms({range.lowest, highest}), most_cells);
  } else {
    add_atoms(pair->atoms({lowest, last}), most_cells);
    if (last < highest && pair->above(last).log_mass > -infinity) open_from_ = last;
  }
  // From a little earlier: the last cell may end there. An atom at the end counts in one of the two as it is.
  if (open_from_ < infinity) open_from_ -= border_doubt(*pair, open_from_);
  const bool cut_density = pair->has_density() && highest < range.highest;
  beyond_ = pair->above(std::min(cut_density ? highest - border_doubt(*pair, highest) : highest, open_from_));
}

double ReleaseMoments::points_of_dear_cell(const DominatingPair& pair) {
  constexpr double dear = 60;
  return pair.has_density() && pair.cell_cost() > dear ? points_of_cell(pair) : 0;
}

void ReleaseMoments::add_cell(LossRange ends, double loss, double log_mass, double share_at_high) {
  cells_.push_back({ends.lowest, ends.highest, loss, log_mass, log_mass + std::log(share_at_high),
                    log_mass + std::log1p(-share_at_high)});
}

void ReleaseMoments::add_density(const DominatingPair& pair, const std::vector<double>& edges) {
  Work::note(points_of_dear_cell(pair) * static_cast<double>(edges.size()));
  const std::vector<LossCell> found = cells_between(pair, edges);
  double of_cells = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].log_mass == -infinity) continue;
    const double low = edges[i], high = edges[i + 1], loss = found[i].loss;
    if (high == infinity) {
      open_from_ = low;  // left out, as after a cut
      continue;
    }
    const double of_cell = barycentre_error(found[i], high - low);
    of_cells = std::max(of_cells, of_cell);
    const double error = loss_error_ + of_cell + 4 * unit_roundoff * (std::fabs(loss) + std::fabs(high));
    const double share = std::expm1(low - loss - error) / std::expm1(low - high);
    add_cell({low, high}, loss, found[i].log_mass, low == -infinity || !(share < 1) ? 1 : std::max(share, 0.0));
  }
  loss_error_ += of_cells;
}

/// Neighbours go together where there are too many. Their barycentre log(P / Q) is told from the lowest loss on, where
/// some of Q is left above it, and else by Q's own sum: P less nearly all of it would have no digits.
void ReleaseMoments::add_atoms(const std::vector<LossCell>& atoms, std::size_t most_cells) {
  const std::size_t block = 1 + atoms.size() / most_cells;
  double barycentre_error = 0;
  for (std::size_t begin = 0; begin < atoms.size(); begin += block) {
    const std::size_t end = std::min(begin + block, atoms.size());
    const double base = atoms[begin].loss;
    double p = 0, q = 0, lost = 0, top = -infinity, q_top = -infinity;
    for (std::size_t i = begin; i < end; ++i) {
      top = std::max(top, atoms[i].log_mass);
      q_top = std::max(q_top, atoms[i].log_mass - atoms[i].loss);
    }
    for (std::size_t i = begin; i < end; ++i) {
      const double mass = std::exp(atoms[i].log_mass - top);
      p += mass;
      q += std::exp(atoms[i].log_mass - atoms[i].loss - q_top);
      lost -= mass * std::expm1(base - atoms[i].loss);
    }
    // P / Q = e^base p / (p - lost). The share at the upper end is not taken from there: it may be far below the
    // barycentre's digits.
    const double high = atoms[end - 1].loss, error = 64 * unit_roundoff * static_cast<double>(block);
    const double share = high > base ? lost / p / -std::expm1(base - high) * (1 + error) : 1, log_p = top + std::log(p);
    const bool from_base = lost < 0.5 * p;
    const double loss = from_base ? base - std::log1p(-lost / p) : log_p - (q_top + std::log(q));
    const double size = std::fabs(top) + std::fabs(q_top) + std::max(std::fabs(base), std::fabs(high));
    barycentre_error = std::max(barycentre_error, from_base ? error * lost / p : error + 8 * unit_roundoff * size);
    add_cell({base, high}, std::clamp(loss, base, high), log_p, std::clamp(share, 0.0, 1.0));
  }
  loss_error_ += barycentre_error;
}

ReleaseMoments::Weights ReleaseMoments::weights(double t, bool chords) const {
  Weights w;
  constexpr double points_a_cell = 3;
  const auto n = static_cast<double>(cells_.size());
  Work::note(points_a_cell * n);
  w.value.reserve(2 * cells_.size());
  std::vector<double> reach;  // of a term's exponent: |log mass| + |t z|
  reach.reserve(2 * cells_.size());
  const auto term = [&](double size, double log_mass, double loss) {
    const double exponent = log_mass + t * loss;
    w.value.push_back(exponent);
    reach.push_back(size + std::fabs(t * loss));
    w.log_top = std::max(w.log_top, exponent);
  };
  for (const Cell& c : cells_) {
    const double size = std::fabs(c.log_mass);
    if (!chords || c.low == c.high) {
      term(size, c.log_mass, c.loss);
      continue;
    }
    if (c.log_at_high > -infinity) term(size, c.log_at_high, c.high);
    if (c.log_at_low > -infinity) term(size, c.log_at_low, c.low);
  }
  for (std::size_t i = 0; i < w.value.size(); ++i) {
    const double below_top = w.value[i] - w.log_top;
    // 16 u (1 + |log mass|) of the mass, the exponent's own roundings, the exponential and a sum of n terms.
    if (below_top > light) w.error = std::max(w.error, (32 + 2 * n + 24 * reach[i]) * unit_roundoff);
    w.value[i] = exp_or_zero(below_top);
  }
  w.error += 2 * n * std::exp(light);
  return w;
}

ReleaseMoments::Tilted ReleaseMoments::tilted(double t) const {
  const Weights w = weights(t, false);
  Tilted out;
  if (w.value.empty()) return {-infinity, 0, 0, 0, 0};
  double mass = 0, shift = 0, second = 0;
  const auto heaviest = static_cast<std::size_t>(std::max_element(w.value.begin(), w.value.end()) - w.value.begin());
  const double centre = cells_[heaviest].loss;
  for (std::size_t i = 0; i < w.value.size(); ++i) {
    mass += w.value[i];
    shift += w.value[i] * (cells_[i].loss - centre);
  }
  out.mean = centre + shift / mass;
  for (std::size_t i = 0; i < w.value.size(); ++i)
    second += w.value[i] * (cells_[i].loss - out.mean) * (cells_[i].loss - out.mean);
  out.variance = second / mass * (1 + 4 * w.error);
  out.log_moment = w.log_top + std::log(mass);
  out.log_moment_error = w.error + std::fabs(t) * loss_error_ + 4 * unit_roundoff * std::fabs(out.log_moment);
  // Wrong weights move the mean by a share of the deviation from it.
  const double spread = std::sqrt(out.variance + (out.mean - centre) * (out.mean - centre));
  out.mean_error =
      (4 * w.error + std::fabs(t) * loss_error_) * spread + 4 * unit_roundoff * std::fabs(out.mean) + loss_error_;
  return out;
}

double ReleaseMoments::log_moment_upper(double t) const {
  const Weights w = weights(t, true);
  double mass = 0;
  for (const double value : w.value) mass += value;
  const auto tail = bound_of_mass(below_.log_mass, Side::upper).times(t * lowest_);
  LogBound moment = LogBound(w.log_top, Side::upper).times(std::log(mass)).widened(w.error).plus(tail.log());
  if (open_from_ < infinity) {
    const PairPtr pair = pair_.lock();
    moment = moment.plus(pair ? pair->log_tail_moment(1 + t, open_from_) : infinity);
  }
  return moment.widened(t * loss_error_).log();
}

std::vector<double> ReleaseMoments::log_negative_moments_upper(const std::vector<double>& orders) const {
  const PairPtr pair = pair_.lock();
  struct Tail {
    LossCell cell;
    double error;  ///< of its loss
  };
  std::vector<Tail> tails;
  for (const LossCell& tail : {below_, beyond_}) {
    if (tail.log_mass == -infinity) continue;
    if (!pair) return std::vector<double>(orders.size(), infinity);
    tails.push_back({tail, pair->loss_error({tail.loss, tail.loss}) + doubt(tail.loss) + mass_error(tail.log_mass)});
  }
  std::vector<double> out;
  for (const double s : orders) {
    const Tilted body = tilted(-s);
    LogBound moment(body.log_moment + body.log_moment_error, Side::upper);
    for (const auto& [tail, error] : tails)
      moment = moment.plus(bound_of_mass(tail.log_mass, Side::upper).times(-s * tail.loss).widened(s * error).log());
    out.push_back(moment.log());
  }
  return out;
}

}  // namespace pld
