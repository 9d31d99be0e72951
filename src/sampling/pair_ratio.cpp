#include "sampling/pair_ratio.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "numeric/log_doubt.hpp"
#include "numeric/log_sum.hpp"
#include "numeric/roundings.hpp"
#include "numeric/well_above.hpp"
#include "pld/core/rounding.hpp"
#include "sampling/ratio_cells.hpp"

namespace pld {
namespace {

/// Outcomes with less than e^-680 of either law on one side are one cell.
constexpr double log_least_tail = -680;

/// Losses further out are cut off whatever their mass: e^loss and sums of it stay doubles.
constexpr double farthest_loss = 500;

/// All finite losses >= z.
LossCell from(const DominatingPair& pair, double z) { return pair.above(std::nextafter(z, -infinity)); }

/// The density's cells between edges; none where there is no density.
std::vector<LossCell> density_cells(const DominatingPair& pair, const std::vector<double>& edges) {
  std::vector<LossCell> all;
  if (pair.has_density()) pair.cells(edges, all);
  return all;
}

/// Of loud noise losses are no larger: an end that lies far beyond them may be at an outcome that no double holds.
constexpr double small_loss = 1e-3;

/// Where a tail that falls from `inside` on has less than e^-320.
template <class LogTail>
double end_of(double inside, double step, const LogTail& log_tail) {
  double far = inside + step;
  while (log_tail(far) > log_least_tail) step *= 2, far = inside + step;
  double near = inside;
  for (int i = 0; i < 60 && std::fabs(far - near) > 1e-3 * (small_loss + std::fabs(far)); ++i) {
    const double middle = near + (far - near) / 2;
    (log_tail(middle) > log_least_tail ? near : far) = middle;
  }
  return far;
}

/// Of both laws' masses, as a logarithm.
double log_mean(const LossCell& cell) { return std::min(log_sum(cell.log_mass, cell.log_q_mass) - std::log(2.0), 0.0); }

/// The range, without tails that have less than e^-320 of both laws' mean, and without what no double holds.
LossRange range_kept(const DominatingPair& pair) {
  LossRange range = pair.range();
  if (range.lowest == -infinity)
    range.lowest = end_of(std::min(range.highest, 0.0), -1, [&](double z) { return log_mean(pair.below(z)); });
  if (range.highest == infinity)
    range.highest = end_of(std::max(range.lowest, 0.0), 1, [&](double z) { return log_mean(from(pair, z)); });
  // An end that all lies beyond is kept as a point, with everything on one side of it.
  return {std::clamp(range.lowest, -farthest_loss, farthest_loss - 1),
          std::clamp(range.highest, 1 - farthest_loss, farthest_loss)};
}

NodeMap map_by_depth(const DominatingPair& pair, LossRange range, int count) {
  const int places = std::min(2 * count, 400);
  std::vector<Knot> knots;
  for (int i = 0; i <= places; ++i) {
    const double share = static_cast<double>(i) / places;
    const double z = i == places ? range.highest : range.lowest + (range.highest - range.lowest) * share;
    knots.push_back({z, log_mean(pair.below(z)), log_mean(from(pair, z)), share});
  }
  return NodeMap::by_depth(knots);
}

/// A mass given by its logarithm, rounded to a side.
double mass_of(double log_mass, Side side) {
  const double units = 20 * (1 + std::fabs(log_mass)), mass = std::exp(log_mass);
  return side == Side::upper ? round_up(mass, units) : std::max(0.0, round_down(mass, units));
}

/// The ratio of finitely many atoms as it is.
RatioLaw law_of_atoms(const std::vector<LossCell>& atoms, Side side) {
  RatioLaw law;
  for (const LossCell& atom : atoms) {
    law.ratios.push_back(std::exp(atom.loss));
    law.masses.push_back(mass_of(atom.log_q_mass, side));
    law.ratio_error = std::max(law.ratio_error, (4 + 2 * std::fabs(atom.loss)) * unit_roundoff);
  }
  return law;
}

/// Adds cells of losses between the nodes' logarithms.
void add_cell(const LossCell& cell, const std::vector<double>& losses, std::size_t k, double loss_error, Cells& cells) {
  if (cell.log_q_mass == -infinity) return;
  const double mass = std::exp(cell.log_q_mass);
  const double share = k == 0 ? std::exp(cell.loss - losses[0])
                              : std::expm1(cell.loss - losses[k - 1]) / std::expm1(losses[k] - losses[k - 1]);
  cells.masses[k] += mass;
  cells.moments[k] += mass * std::clamp(share, 0.0, 1.0) * (cells.nodes[k + 1] - cells.nodes[k]);
  const double doubt = loss_error + roundings(4, losses[k]);
  const double units = 40 * (1 + std::fabs(cell.log_q_mass));
  cells.sum_errors[k] = std::max(cells.sum_errors[k], units * unit_roundoff);
  cells.place_errors[k] = std::max(cells.place_errors[k], 4 * doubt);
}

/// The ratio of a law with a density.
RatioLaw law_of_density(const DominatingPair& pair, LossRange range, const std::vector<LossCell>& atoms, Side side,
                        const std::vector<double>& losses) {
  const auto [lowest, highest] = range;
  const double loss_error = pair.loss_error({lowest, highest});
  std::vector<double> nodes{0};
  for (const double loss : losses) nodes.push_back(std::exp(loss));
  Cells cells(std::move(nodes));
  const std::vector<LossCell> density = density_cells(pair, losses);
  for (std::size_t k = 0; k < density.size(); ++k) add_cell(density[k], losses, k + 1, loss_error, cells);
  for (const LossCell& atom : atoms) {
    const auto after = std::upper_bound(losses.begin(), losses.end(), atom.loss) - losses.begin();
    add_cell(atom, losses, std::min(static_cast<std::size_t>(after), losses.size() - 1), loss_error, cells);
  }
  const bool cut_below = lowest > pair.range().lowest, cut_above = highest < pair.range().highest;
  // Less than that of P's mass tells no mean: the cell's ratio would be 0, which is an infinite loss.
  constexpr double log_least_moment = -680;
  const LossCell below = cut_below ? pair.below(lowest) : LossCell{};
  if (side == Side::upper || below.log_mass > log_least_moment) add_cell(below, losses, 0, loss_error, cells);
  if (pair.log_q_mass_at_minus_infinity() > -infinity) {
    cells.masses[0] += std::exp(pair.log_q_mass_at_minus_infinity());
    cells.sum_errors[0] = std::max(cells.sum_errors[0], 2 * mass_error(pair.log_q_mass_at_minus_infinity()));
  }
  RatioLaw law = bounded_law(cells, side);
  law.ratio_error += loss_error + roundings(4, 1, std::max(std::fabs(lowest), std::fabs(highest)));
  if (!cut_above) return law;
  const LossCell tail = from(pair, highest);
  if (tail.log_mass == -infinity) return law;
  if (side == Side::lower) {
    // Nor where the mean is beyond doubles.
    if (tail.log_q_mass < std::log(least_mass) || tail.loss > farthest_loss + 100) return law;
    law.ratios.push_back(std::exp(tail.loss));
    law.masses.push_back(std::exp(well_below(tail.log_q_mass)));
    law.ratio_error =
        std::max(law.ratio_error, pair.loss_error({highest, tail.loss}) + 2 * mass_error(tail.log_q_mass));
  } else {
    // Spread between the last node and infinity: there P has all of it, and more than what the node does not take.
    law.masses.back() += std::exp(well_above(tail.log_q_mass));
    law.log_infinite = well_above(tail.log_mass);
  }
  return law;
}

}  // namespace

void sort_atoms(RatioLaw& law) {
  std::vector<std::size_t> order(law.ratios.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return law.ratios[a] < law.ratios[b]; });
  RatioLaw sorted = law;
  sorted.ratios.clear(), sorted.masses.clear();
  constexpr double same = 16 * unit_roundoff;
  bool merged = false;
  for (const std::size_t i : order) {
    if (!sorted.ratios.empty() && law.ratios[i] <= sorted.ratios.back() * (1 + same)) {
      sorted.masses.back() += law.masses[i];
      merged = true;
      continue;
    }
    sorted.ratios.push_back(law.ratios[i]);
    sorted.masses.push_back(law.masses[i]);
  }
  if (merged) sorted.ratio_error += 2 * same;
  law = std::move(sorted);
}

PlacedRatio ratio_of_pair(const DominatingPair& pair, Side side, int count, const NodeMap& map) {
  const LossRange all = pair.range(), kept = range_kept(pair);
  const bool cut_below = kept.lowest > all.lowest, cut_above = kept.highest < all.highest;
  // What is cut off begins with the end itself.
  const std::vector<LossCell> atoms = pair.atoms({cut_below ? std::nextafter(kept.lowest, infinity) : kept.lowest,
                                                  cut_above ? std::nextafter(kept.highest, -infinity) : kept.highest});
  PlacedRatio out;
  if (cut_below || cut_above || pair.has_density() || atoms.size() > static_cast<std::size_t>(count)) {
    out.edges = (map.empty() ? map_by_depth(pair, kept, count) : map).nodes(count);
    out.law = law_of_density(pair, kept, atoms, side, out.edges);
  } else {
    out.law = law_of_atoms(atoms, side);
    out.law.ratio_error += pair.loss_error(pair.range());
    if (pair.log_q_mass_at_minus_infinity() > -infinity) {
      out.law.ratios.push_back(0);
      out.law.masses.push_back(mass_of(pair.log_q_mass_at_minus_infinity(), side));
    }
    sort_atoms(out.law);
  }
  out.law.log_infinite = log_sum(out.law.log_infinite, pair.log_mass_at_plus_infinity());
  return out;
}

}  // namespace pld
