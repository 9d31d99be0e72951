#include "sampling/ratio_law.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>

#include "numeric/log_sum.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// Outcomes with less than e^-320 of either law on one side are one cell: products of two such masses are doubles.
constexpr double log_least_tail = -320;

/// Losses further out are cut off whatever their mass: e^loss and sums of it stay doubles, with room above least_mass.
constexpr double farthest_loss = 500;

/// Added to each mass of an upper law, for all that underflowed: at most 1e8 terms, each off by a smallest double. What
/// is less is left out of a lower one.
constexpr double least_mass = 1e-280;

/// A cell's moment has digits from here on: below, its terms may have underflowed.
constexpr double least_moment = 1e-290;

/// The depth in a tail, in standard deviations, from which on nodes thin out; and the share of them that is spread
/// evenly, whatever the mass there.
constexpr double depth_scale = 4.5, even_share = 0.1;

/// About how many standard deviations from the median a normal law has this tail: right there and far out.
double depth(double log_tail) {
  constexpr double at_median = 1.2533;  // sqrt(2 pi) / 2
  const double nats = std::clamp(-log_tail - std::log(2.0), 0.0, 1000.0);
  return at_median * nats / std::sqrt(1 + at_median * at_median / 2 * nats);
}

/// The integral of 1 / (1 + y^4) from 0 to the depth over its scale: even in the bulk, few nodes far beyond it.
double place_of_depth(double x) {
  constexpr double root = std::numbers::sqrt2;
  const double y = x / depth_scale;
  return (std::log((y * y + root * y + 1) / (y * y - root * y + 1)) / 2 + std::atan(root * y + 1) +
          std::atan(root * y - 1)) /
         (2 * root);
}

/// A place on the line of log r, with the logarithms of the mass to its left and right.
struct Knot {
  double at = 0, log_left = 0, log_right = 0;
  double even = 0;  ///< how far along the line it is, from 0 to 1
};

/// Places `count` + 1 nodes over increasing knots: dense in the bulk, thinner in the tails.
std::vector<double> nodes_by_depth(const std::vector<Knot>& knots, int count) {
  std::vector<double> place;
  for (const Knot& knot : knots) {
    const double here =
        knot.log_left < knot.log_right ? place_of_depth(-depth(knot.log_left)) : place_of_depth(depth(knot.log_right));
    place.push_back(place.empty() ? here : std::max(here, place.back()));
  }
  const double start = place.front(), all = std::max(place.back() - place.front(), 1e-300);
  for (std::size_t i = 0; i < knots.size(); ++i)
    place[i] = (1 - even_share) * (place[i] - start) / all + even_share * knots[i].even;
  std::vector<double> nodes{knots.front().at};
  constexpr double least_gap = 1e-10;
  for (std::size_t i = 0, k = 1; k < static_cast<std::size_t>(count); ++k) {
    const double wanted = place.back() * static_cast<double>(k) / count;
    while (i + 2 < knots.size() && place[i + 1] <= wanted) ++i;
    const double share = std::clamp((wanted - place[i]) / std::max(place[i + 1] - place[i], 1e-300), 0.0, 1.0);
    const double node = knots[i].at + share * (knots[i + 1].at - knots[i].at);
    if (node > nodes.back() + least_gap && node < knots.back().at - least_gap) nodes.push_back(node);
  }
  nodes.push_back(knots.back().at);
  return nodes;
}

/// Q masses and first moments, from the lower node, of what lies between consecutive nodes.
struct Cells {
  std::vector<double> nodes, masses, moments;
  std::vector<double> errors;  ///< relative, of mass and moment, the latter over mass times width

  explicit Cells(std::vector<double> at)
      : nodes(std::move(at)), masses(nodes.size() - 1), moments(nodes.size() - 1), errors(nodes.size() - 1) {}
};

/// Each cell's mass goes to its two nodes with its mean kept: a spread, which raises the mean of every convex function.
void spread(const Cells& cells, RatioLaw& law) {
  law.ratios = cells.nodes;
  law.masses.assign(cells.nodes.size(), least_mass);
  for (std::size_t k = 0; k < cells.masses.size(); ++k) {
    if (cells.masses[k] < 1e-3 * least_mass) continue;
    // The product of mass and width may underflow.
    const double share =
        std::clamp(cells.moments[k] / cells.masses[k] / (cells.nodes[k + 1] - cells.nodes[k]), 0.0, 1.0);
    law.masses[k] += cells.masses[k] * (1 - share + cells.errors[k]);
    law.masses[k + 1] += cells.masses[k] * (share + cells.errors[k]);
  }
}

/// Each cell's mass goes to its mean: a contraction, which lowers the mean of every convex function.
void contract(const Cells& cells, RatioLaw& law) {
  for (std::size_t k = 0; k < cells.masses.size(); ++k) {
    const double width = cells.nodes[k + 1] - cells.nodes[k];
    if (cells.masses[k] < least_mass || cells.masses[k] * width < least_moment || !(cells.errors[k] < 1)) continue;
    const double offset = std::clamp(cells.moments[k] / cells.masses[k], 0.0, width);
    law.ratios.push_back(cells.nodes[k] + offset);
    law.masses.push_back(cells.masses[k] * (1 - cells.errors[k]));
    if (offset > 0)
      law.ratio_error = std::max(law.ratio_error, cells.errors[k] * width / law.ratios.back() + 4 * unit_roundoff);
  }
}

RatioLaw bounded_law(const Cells& cells, Side side) {
  RatioLaw law;
  if (side == Side::upper)
    spread(cells, law);
  else
    contract(cells, law);
  return law;
}

/// All finite losses >= z.
LossCell from(const DominatingPair& pair, double z) { return pair.above(std::nextafter(z, -infinity)); }

/// The density's cells between edges; none where there is no density.
std::vector<LossCell> density_cells(const DominatingPair& pair, const std::vector<double>& edges) {
  std::vector<LossCell> all;
  if (pair.has_density()) pair.cells(edges, all);
  return all;
}

/// Where a tail that falls from `inside` on has less than e^-320.
template <class LogTail>
double end_of(double inside, double step, const LogTail& log_tail) {
  double far = inside + step;
  while (log_tail(far) > log_least_tail) step *= 2, far = inside + step;
  double near = inside;
  for (int i = 0; i < 60 && std::fabs(far - near) > 1e-3 * (1 + std::fabs(far)); ++i) {
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

std::vector<double> loss_nodes(const DominatingPair& pair, LossRange range, int count) {
  const int places = std::min(2 * count, 400);
  std::vector<Knot> knots;
  for (int i = 0; i <= places; ++i) {
    const double share = static_cast<double>(i) / places;
    const double z = i == places ? range.highest : range.lowest + (range.highest - range.lowest) * share;
    knots.push_back({z, log_mean(pair.below(z)), log_mean(from(pair, z)), share});
  }
  return nodes_by_depth(knots, count);
}

/// More than a tail's logarithm is off by.
double tail_doubt(double log_mass) { return log_mass == -infinity ? 0 : 1e-12 * (1 + std::fabs(log_mass)); }

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

/// Sorted by ratio, equal ones together.
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

/// Adds cells of losses between the nodes' logarithms.
void add_cell(const LossCell& cell, const std::vector<double>& losses, std::size_t k, double loss_error, Cells& cells) {
  if (cell.log_q_mass == -infinity) return;
  const double mass = std::exp(cell.log_q_mass), width = k == 0 ? infinity : losses[k] - losses[k - 1];
  const double share = k == 0 ? std::exp(cell.loss - losses[0])
                              : std::expm1(cell.loss - losses[k - 1]) / std::expm1(losses[k] - losses[k - 1]);
  cells.masses[k] += mass;
  cells.moments[k] += mass * std::clamp(share, 0.0, 1.0) * (cells.nodes[k + 1] - cells.nodes[k]);
  const double doubt = loss_error + 4 * unit_roundoff * (1 + std::fabs(losses[k]));
  const double units = 40 * (1 + std::fabs(cell.log_q_mass));
  cells.errors[k] = std::max(cells.errors[k], units * unit_roundoff + 4 * doubt / std::min(1.0, width));
}

/// The ratio of a law with a density.
RatioLaw law_of_density(const DominatingPair& pair, LossRange range, const std::vector<LossCell>& atoms, Side side,
                        int count) {
  const std::vector<double> losses = loss_nodes(pair, range, count);
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
  if (cut_below) add_cell(pair.below(lowest), losses, 0, loss_error, cells);
  if (pair.log_q_mass_at_minus_infinity() > -infinity) {
    cells.masses[0] += std::exp(pair.log_q_mass_at_minus_infinity());
    cells.errors[0] =
        std::max(cells.errors[0], 40 * unit_roundoff * (1 + std::fabs(pair.log_q_mass_at_minus_infinity())));
  }
  RatioLaw law = bounded_law(cells, side);
  law.ratio_error += loss_error + 4 * unit_roundoff * (2 + std::max(std::fabs(lowest), std::fabs(highest)));
  if (!cut_above) return law;
  const LossCell tail = from(pair, highest);
  if (tail.log_mass == -infinity) return law;
  if (side == Side::lower) {
    // Nor where the mean is beyond doubles.
    if (tail.log_q_mass < std::log(least_mass) || tail.loss > farthest_loss + 100) return law;
    law.ratios.push_back(std::exp(tail.loss));
    law.masses.push_back(std::exp(tail.log_q_mass - tail_doubt(tail.log_q_mass)));
    law.ratio_error = std::max(
        law.ratio_error, pair.loss_error({highest, tail.loss}) + 40 * unit_roundoff * (1 + std::fabs(tail.log_q_mass)));
  } else {
    // Spread between the last node and infinity: there P has all of it, and more than what the node does not take.
    law.masses.back() += std::exp(tail.log_q_mass + tail_doubt(tail.log_q_mass));
    law.log_infinite = tail.log_mass + tail_doubt(tail.log_mass);
  }
  return law;
}

/// Part of a law, at its mean.
struct Group {
  double ratio = 0, mass = 0;
};

std::vector<Group> groups_of(const RatioLaw& law, std::size_t most) {
  std::vector<Group> all;
  const std::size_t block = law.ratios.size() / most + 1;
  for (std::size_t begin = 0; begin < law.ratios.size(); begin += block) {
    const std::size_t end = std::min(begin + block, law.ratios.size());
    double mass = 0, moment = 0;
    for (std::size_t i = begin; i < end; ++i) mass += law.masses[i], moment += law.masses[i] * law.ratios[i];
    if (mass > 0) all.push_back({moment / mass, mass});
  }
  return all;
}

/// Where the sums of two laws may lie, as logarithms of ratios: dense about their mean, in standard deviations.
std::vector<double> places_of_sums(const RatioLaw& a, const RatioLaw& b, double lowest, double highest) {
  constexpr std::size_t few_groups = 60, places = 1500;
  constexpr double bulk = 2;
  double total = 0, mean = 0, square = 0;
  const std::vector<Group> from_a = groups_of(a, few_groups), from_b = groups_of(b, few_groups);
  for (const Group& x : from_a) {
    for (const Group& y : from_b) {
      const double mass = x.mass * y.mass, z = std::log(std::max(x.ratio + y.ratio, lowest));
      total += mass, mean += mass * z, square += mass * z * z;
    }
  }
  mean /= total;
  const double scale = bulk * std::max(std::sqrt(std::max(square / total - mean * mean, 0.0)), 1e-9);
  const double first = std::asinh((std::log(lowest) - mean) / scale),
               last = std::asinh((std::log(highest) - mean) / scale);
  std::vector<double> at;
  for (std::size_t i = 0; i <= places; ++i)
    at.push_back(mean + scale * std::sinh(first + (last - first) * static_cast<double>(i) / places));
  return at;
}

/// Nodes for the sums of two laws, by a coarse run: the laws' atoms pooled in groups, all pairs of these.
std::vector<double> sum_nodes(const RatioLaw& a, const RatioLaw& b, int count) {
  const std::size_t many_groups = static_cast<std::size_t>(std::clamp(count / 2, 60, 400));
  const double lowest = a.ratios.front() + b.ratios.front(), highest = a.ratios.back() + b.ratios.back();
  const auto positive = [](const RatioLaw& law) { return law.ratios[law.ratios.front() > 0 ? 0 : 1]; };
  const double low = lowest > 0 ? lowest : std::max(std::min(positive(a), positive(b)), 1e-300);
  const std::vector<double> at = places_of_sums(a, b, low, highest);
  std::vector<double> edges, held(at.size());
  for (const double z : at) edges.push_back(std::exp(z));
  const auto terms = static_cast<double>(a.terms + b.terms);
  const std::vector<Group> from_a = groups_of(a, many_groups), from_b = groups_of(b, many_groups);
  for (const Group& x : from_a) {
    std::size_t i = 0;
    for (const Group& y : from_b) {
      const double ratio = x.ratio + y.ratio;
      while (i + 1 < at.size() && edges[i + 1] <= ratio) ++i;
      held[i] += x.mass * y.mass * (1 + ratio / terms) / 2;
    }
  }
  const double total = std::accumulate(held.begin(), held.end(), 0.0), places = static_cast<double>(at.size() - 1);
  // Only where sums fall: between the groups of a tail the nodes are as dense as beside them.
  std::vector<Knot> knots{{at.front(), -infinity, 0, 0}};
  double left = 0;
  for (std::size_t i = 0; i + 1 < at.size(); ++i) {
    if (held[i] == 0) continue;
    knots.push_back(
        {(at[i] + at[i + 1]) / 2, std::log((left + held[i] / 2) / total), 0, (static_cast<double>(i) + 0.5) / places});
    left += held[i];
  }
  knots.push_back({at.back(), 0, -infinity, 1});
  double right = held.back();
  for (std::size_t i = at.size() - 1, knot = knots.size() - 1; i-- > 0;) {
    if (held[i] == 0) continue;
    knots[--knot].log_right = std::log((right + held[i] / 2) / total);
    right += held[i];
  }
  std::vector<double> nodes;
  if (lowest <= 0) nodes.push_back(0);
  for (const double z : nodes_by_depth(knots, count)) nodes.push_back(std::exp(z));
  // Round-off must not leave a sum outside.
  if (lowest > 0) nodes.front() = std::min(nodes.front(), round_down(lowest, 4));
  nodes.back() = std::max(nodes.back(), round_up(highest, 4));
  return nodes;
}

/// All sums of an atom of each, where they are few.
RatioLaw all_sums(const RatioLaw& a, const RatioLaw& b, Side side) {
  RatioLaw law;
  for (std::size_t i = 0; i < a.ratios.size(); ++i) {
    for (std::size_t j = 0; j < b.ratios.size(); ++j) {
      const double mass = a.masses[i] * b.masses[j];
      if (side == Side::lower && mass < least_mass) continue;
      law.ratios.push_back(a.ratios[i] + b.ratios[j]);
      law.masses.push_back(side == Side::upper ? mass + least_mass : mass);
    }
  }
  sort_atoms(law);
  // Each mass is a product and a sum of at most as many as there are pairs; of one ratio, with one of these at most.
  const double units = 4 * static_cast<double>(a.ratios.size() + b.ratios.size() + 4);
  for (double& mass : law.masses) mass = side == Side::upper ? round_up(mass, units) : round_down(mass, units);
  law.ratio_error += 2 * unit_roundoff;
  return law;
}

/// The sums of all pairs in their cells. Within a cell a row's run is summed from its first atom on, so that no moment
/// loses more than the rounding of one position.
Cells cells_of_sums(const RatioLaw& a, const RatioLaw& b, std::vector<double> nodes) {
  const bool same = &a == &b;  // then each pair of two different atoms counts twice
  Cells cells(std::move(nodes));
  const std::vector<double>& node = cells.nodes;
  const std::size_t last = cells.masses.size() - 1, size = b.ratios.size();
  const double* const ratio = b.ratios.data();
  const double* const mass = b.masses.data();
  std::size_t start = 0, longest = 1;
  for (std::size_t i = 0; i < a.ratios.size(); ++i) {
    const double shift = a.ratios[i], weight = same ? 2 * a.masses[i] : a.masses[i];
    const std::size_t from = same ? i : 0;
    while (start < last && node[start + 1] <= shift + ratio[from]) ++start;
    for (std::size_t j = from, k = start; j < size;) {
      const double first = ratio[j];
      while (k < last && node[k + 1] <= shift + first) ++k;
      const double end = k < last ? node[k + 1] : infinity;
      const std::size_t begin = j;
      double sum = same && j == i ? -mass[j] / 2 : 0.0, moment = 0;
      do {
        sum += mass[j];
        moment += mass[j] * (ratio[j] - first);
        ++j;
      } while (j < size && shift + ratio[j] < end);
      longest = std::max(longest, j - begin);
      cells.masses[k] += weight * sum;
      cells.moments[k] += weight * (moment + ((shift + first) - node[k]) * sum);
    }
  }
  const double additions = static_cast<double>(longest + a.ratios.size() + 10);
  for (std::size_t k = 0; k <= last; ++k)
    cells.errors[k] = unit_roundoff * (2 * additions + 4 * node[k + 1] / (node[k + 1] - node[k]));
  return cells;
}

RatioLaw sum(const RatioLaw& a, const RatioLaw& b, Side side, int count) {
  const bool few = a.ratios.size() * b.ratios.size() <= static_cast<std::size_t>(std::min(4 * count, 6000));
  RatioLaw law = few ? all_sums(a, b, side) : bounded_law(cells_of_sums(a, b, sum_nodes(a, b, count)), side);
  law.terms = a.terms + b.terms;
  law.log_infinite = a.log_infinite;
  law.ratio_error += std::max(a.ratio_error, b.ratio_error);
  return law;
}

}  // namespace

RatioLaw ratio_law(const DominatingPair& pair, Side side, int nodes) {
  const LossRange all = pair.range(), kept = range_kept(pair);
  const bool cut_below = kept.lowest > all.lowest, cut_above = kept.highest < all.highest;
  // What is cut off begins with the end itself.
  const std::vector<LossCell> atoms = pair.atoms({cut_below ? std::nextafter(kept.lowest, infinity) : kept.lowest,
                                                  cut_above ? std::nextafter(kept.highest, -infinity) : kept.highest});
  RatioLaw law;
  if (cut_below || cut_above || pair.has_density() || atoms.size() > static_cast<std::size_t>(nodes)) {
    law = law_of_density(pair, kept, atoms, side, nodes);
  } else {
    law = law_of_atoms(atoms, side);
    law.ratio_error += pair.loss_error(pair.range());
    if (pair.log_q_mass_at_minus_infinity() > -infinity) {
      law.ratios.push_back(0);
      law.masses.push_back(mass_of(pair.log_q_mass_at_minus_infinity(), side));
    }
    sort_atoms(law);
  }
  law.log_infinite = log_sum(law.log_infinite, pair.log_mass_at_plus_infinity());
  return law;
}

RatioLaw sum_of_copies(const RatioLaw& one, std::int64_t times, Side side, int nodes) {
  RatioLaw all = one;
  for (int bit = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(times))) - 2; bit >= 0; --bit) {
    all = sum(all, all, side, nodes);
    if ((times >> bit) & 1) all = sum(all, one, side, nodes);
  }
  return all;
}

}  // namespace pld
