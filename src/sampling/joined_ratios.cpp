#include "sampling/joined_ratios.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/work.hpp"
#include "numeric/compensated_sum.hpp"
#include "numeric/log_sum.hpp"
#include "numeric/roundings.hpp"
#include "pld/core/rounding.hpp"
#include "sampling/ratio_cells.hpp"
#include "sampling/run_sums.hpp"

namespace pld {
namespace {

/// A factor's ratio lies between 1e-130 and 1e130, so that products are doubles, and its tails beyond this mass are cut
/// off: nodes are not spent on a range that has next to none.
constexpr double farthest_factor = 1e130, least_tail = 1e-290;

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

/// Two laws and how they are joined.
struct Pairing {
  Join how;
  const RatioLaw &a, &b;

  [[nodiscard]] double lowest() const { return joined(how, a.ratios.front(), b.ratios.front()); }
  [[nodiscard]] double highest() const { return joined(how, a.ratios.back(), b.ratios.back()); }
  /// The lowest that is above 0, or less.
  [[nodiscard]] double lowest_positive() const {
    if (lowest() > 0) return lowest();
    return how == Join::sum ? std::max(std::min(positive(a), positive(b)), 1e-300) : lowest_of_positives();
  }
  /// The lowest of ratios that are both above 0, or less.
  [[nodiscard]] double lowest_of_positives() const { return std::max(joined(how, positive(a), positive(b)), 1e-300); }

 private:
  /// The lowest above 0 that has more than what is added for underflow.
  [[nodiscard]] static double positive(const RatioLaw& law) {
    constexpr double least = 1e-290;
    std::size_t i = law.ratios.front() > 0 || law.ratios.size() == 1 ? 0 : 1;
    while (i + 1 < law.ratios.size() && law.masses[i] < least) ++i;
    return law.ratios[i];
  }
};

/// Where joined ratios may lie, as logarithms: dense about their mean, in standard deviations.
std::vector<double> places_of(const Pairing& pair) {
  constexpr std::size_t few_groups = 60, places = 1500;
  constexpr double bulk = 2;
  const double lowest = pair.lowest_positive();
  double total = 0, mean = 0, square = 0;
  const std::vector<Group> from_a = groups_of(pair.a, few_groups), from_b = groups_of(pair.b, few_groups);
  for (const Group& x : from_a) {
    for (const Group& y : from_b) {
      const double mass = x.mass * y.mass, z = std::log(std::max(joined(pair.how, x.ratio, y.ratio), lowest));
      total += mass, mean += mass * z, square += mass * z * z;
    }
  }
  mean /= total;
  const double scale = bulk * std::max(std::sqrt(std::max(square / total - mean * mean, 0.0)), 1e-9);
  const double first = std::asinh((std::log(lowest) - mean) / scale),
               last = std::asinh((std::log(std::max(pair.highest(), lowest)) - mean) / scale);
  std::vector<double> at;
  for (std::size_t i = 0; i <= places; ++i)
    at.push_back(mean + scale * std::sinh(first + (last - first) * static_cast<double>(i) / places));
  return at;
}

/// By a coarse run: the laws' atoms pooled in groups, all pairs of these.
NodeMap map_by_groups(const Pairing& pair, int count) {
  constexpr double points = 5e4;  // some, whatever the count: one more for each pair of groups
  const std::size_t many_groups = static_cast<std::size_t>(std::clamp(count / 2, 60, 400));
  const std::vector<double> at = places_of(pair);
  std::vector<double> edges, held(at.size());
  for (const double z : at) edges.push_back(std::exp(z));
  const double mean = pair.how == Join::sum ? static_cast<double>(pair.a.terms + pair.b.terms) : 1;
  const std::vector<Group> from_a = groups_of(pair.a, many_groups), from_b = groups_of(pair.b, many_groups);
  Work::note(points + static_cast<double>(from_a.size() * from_b.size()));
  for (const Group& x : from_a) {
    std::size_t i = 0;
    for (const Group& y : from_b) {
      const double ratio = joined(pair.how, x.ratio, y.ratio);
      while (i + 1 < at.size() && edges[i + 1] <= ratio) ++i;
      held[i] += x.mass * y.mass * (1 + ratio / mean) / 2;
    }
  }
  const double total = std::accumulate(held.begin(), held.end(), 0.0), places = static_cast<double>(at.size() - 1);
  // Only where ratios fall: between the groups of a tail the nodes are as dense as beside them.
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
  return NodeMap::by_depth(knots);
}

/// Every pair of an atom of each, where they are few.
RatioLaw all_pairs(const Pairing& pair, Side side) {
  RatioLaw law;
  for (std::size_t i = 0; i < pair.a.ratios.size(); ++i) {
    for (std::size_t j = 0; j < pair.b.ratios.size(); ++j) {
      const double mass = pair.a.masses[i] * pair.b.masses[j];
      if (side == Side::lower && mass < least_mass) continue;
      law.ratios.push_back(joined(pair.how, pair.a.ratios[i], pair.b.ratios[j]));
      law.masses.push_back(side == Side::upper ? mass + least_mass : mass);
    }
  }
  sort_atoms(law);
  // Each mass is a product and a sum of at most as many as there are pairs; of one ratio, with one of these at most.
  const double units = 4 * static_cast<double>(pair.a.ratios.size() + pair.b.ratios.size() + 4);
  for (double& mass : law.masses) mass = side == Side::upper ? round_up(mass, units) : round_down(mass, units);
  law.ratio_error += 2 * unit_roundoff;
  return law;
}

/// A law with the sums over its runs.
struct Summed {
  const RatioLaw& law;
  RunSums sums;

  explicit Summed(const RatioLaw& whole) : law(whole), sums(whole) {}
};

/// Where pairs fall, and what they add to the cells there.
template <Join how>
class PairCells {
 public:
  explicit PairCells(std::vector<double> nodes) : nodes_(std::move(nodes)), cells_(nodes_.size() - 1) {}

  /// An atom with those of a law at begin <= j < end. Rows come by rising joined ratio of their first pair, from one
  /// restart to the next.
  void add_row(double ratio, double mass, const Summed& other, std::size_t begin, std::size_t end) {
    const std::size_t last = cells_.size() - 1;
    const double least = negligible / mass;
    for (std::size_t j = begin, k = start_; j < end;) {
      const double place = joined(how, ratio, other.law.ratios[j]);
      while (k < last && nodes_[k + 1] <= place) ++k;
      if (j == begin) start_ = k;
      const Run run = run_below(k < last ? nodes_[k + 1] : infinity, ratio, other, j, end);
      j = run.end;
      ++runs_;
      if (run.mass < least) continue;
      cells_[k].mass.add(mass * run.mass);
      cells_[k].moment.add(mass * (run.moment * (how == Join::sum ? 1 : ratio) + (place - nodes_[k]) * run.mass));
    }
  }
  void restart() { start_ = 0; }

  /// A run's mass has up to `few` terms, and a compensated sum and two products are off by 5 u. A moment from a run's
  /// first atom on is off by a share of the run's last ratio.
  [[nodiscard]] Cells with_errors() && {
    constexpr double points_a_run = 1.2;
    Work::note(points_a_run * static_cast<double>(runs_));
    Cells cells(std::move(nodes_));
    for (std::size_t k = 0; k < cells_.size(); ++k)
      cells.masses[k] = cells_[k].mass.value(), cells.moments[k] = cells_[k].moment.value();
    cells.sum_errors.assign(cells_.size(), unit_roundoff * (few + 10));
    cells.place_errors.assign(cells_.size(), unit_roundoff * 16);
    return cells;
  }

 private:
  /// Runs of at most so many atoms are summed one by one.
  static constexpr std::size_t few = 6;
  /// Of fewer than 1e9 pairs that are less likely than this no node's least_mass is reached; and products below it are
  /// no normal doubles, each of which takes as long as a hundred others.
  static constexpr double negligible = 1e-309;

  struct Sums {
    CompensatedSum mass, moment;
  };
  /// Mass, and moment from the first ratio on, up to the atom at `end`.
  struct Run {
    double mass = 0, moment = 0;
    std::size_t end = 0;
  };

  /// The atoms from `begin` on whose pairs lie below `edge`, the first one whatever its pair.
  static Run run_below(double edge, double ratio, const Summed& summed, std::size_t begin, std::size_t end) {
    const std::vector<double>&ratios = summed.law.ratios, &masses = summed.law.masses;
    const auto is_within = [&](std::size_t j) { return joined(how, ratio, ratios[j]) < edge; };
    const std::size_t near = std::min(end, begin + few);
    Run run{masses[begin], 0, begin + 1};
    for (; run.end < near && is_within(run.end); ++run.end) {
      run.mass += masses[run.end];
      run.moment += masses[run.end] * (ratios[run.end] - ratios[begin]);
    }
    if (run.end < near || run.end == end || !is_within(run.end)) return run;
    run.end = first_beyond(run.end, end, is_within);
    const auto [mass, moment] = summed.sums.of(begin, run.end);
    return {mass, moment - ratios[begin] * mass, run.end};
  }

  /// The first place after `within` that is not within, `end` where all are: by doubled steps.
  template <class IsWithin>
  static std::size_t first_beyond(std::size_t within, std::size_t end, const IsWithin& is_within) {
    std::size_t beyond = within + 1;
    for (std::size_t step = 2; beyond < end && is_within(beyond); step *= 2) within = beyond, beyond += step;
    beyond = std::min(beyond, end);
    while (beyond - within > 1) {
      const std::size_t middle = within + (beyond - within) / 2;
      (is_within(middle) ? within : beyond) = middle;
    }
    return beyond;
  }

  std::vector<double> nodes_;
  std::vector<Sums> cells_;
  std::size_t start_ = 0;  ///< the cell that the last row began in
  std::size_t runs_ = 0;
};

/// All pairs in their cells, in rows of an atom with those of smaller ratios: of a sum's pairs most are of a large
/// ratio with far smaller ones, and share a cell.
template <Join how>
Cells cells_of_pairs(const RatioLaw& a, const RatioLaw& b, std::vector<double> nodes) {
  PairCells<how> cells(std::move(nodes));
  const Summed of_a(a);
  const std::vector<double>&ratios = a.ratios, &masses = a.masses;
  if (&a == &b) {  // each pair of two different atoms counts twice
    for (std::size_t i = 0; i < ratios.size(); ++i) cells.add_row(ratios[i], 2 * masses[i], of_a, 0, i);
    cells.restart();
    for (std::size_t i = 0; i < ratios.size(); ++i) cells.add_row(ratios[i], masses[i], of_a, i, i + 1);
    return std::move(cells).with_errors();
  }
  const Summed of_b(b);
  for (std::size_t i = 0, j = 0; i < ratios.size(); ++i) {
    while (j < b.ratios.size() && b.ratios[j] <= ratios[i]) ++j;
    cells.add_row(ratios[i], masses[i], of_b, 0, j);
  }
  cells.restart();
  for (std::size_t i = 0, j = 0; j < b.ratios.size(); ++j) {
    while (i < ratios.size() && ratios[i] < b.ratios[j]) ++i;
    cells.add_row(b.ratios[j], b.masses[j], of_a, 0, i);
  }
  return std::move(cells).with_errors();
}

/// Without tails that have next to no mass of P and Q, and without ratios whose products are no doubles. The lower law
/// drops them, and may have no ratio left; the upper one spreads them, with their means, between the nearest ratio kept
/// and 0 or infinity, or between these two where none is.
RatioLaw factor(const RatioLaw& whole, Side side) {
  const auto of_p = [&](std::size_t i) { return whole.masses[i] * whole.ratios[i]; };
  const auto of_either = [&](std::size_t i) { return std::max(whole.masses[i], of_p(i)); };
  const auto is_low = [&](std::size_t i) { return !(whole.ratios[i] >= 1 / farthest_factor); };
  const auto is_high = [&](std::size_t i) { return !(whole.ratios[i] <= farthest_factor); };
  if (whole.ratios.empty()) return whole;
  const bool has_zero = whole.ratios.front() == 0;
  std::size_t first = has_zero ? 1 : 0, last = whole.ratios.size();
  struct Dropped {
    double mass = 0, of_p = 0, of_either = 0;
  } low, high;
  const auto drop = [&](Dropped& tail, std::size_t i) {
    tail.mass += whole.masses[i], tail.of_p += of_p(i), tail.of_either += of_either(i);
  };
  const auto is_least = [&](const Dropped& tail, std::size_t i) {
    return last - first > 1 && tail.of_either + of_either(i) <= least_tail;
  };
  while (last > first && (is_high(last - 1) || is_least(high, last - 1))) drop(high, --last);
  while (last > first && (is_low(first) || is_least(low, first))) drop(low, first++);
  RatioLaw law = whole;
  const auto kept = [&](const std::vector<double>& all) {
    return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(first),
                               all.begin() + static_cast<std::ptrdiff_t>(last));
  };
  law.ratios = kept(whole.ratios), law.masses = kept(whole.masses);
  double zero = has_zero ? whole.masses.front() : 0;
  if (side == Side::upper) {
    const double units = 4 * static_cast<double>(whole.ratios.size());
    double infinite = high.of_p, from_low = 0;
    if (law.ratios.empty()) {
      zero += high.mass, infinite += low.of_p;
    } else {
      law.masses.back() = round_up(law.masses.back() + high.mass, units);
      from_low = low.of_p / law.ratios.front();
      // Products of masses and ratios may have underflowed.
      if (low.mass > 0)
        law.masses.front() = round_up(law.masses.front() + from_low, units) + least_mass / law.ratios.front();
    }
    zero = round_up(round_up(zero + low.mass, units) - round_down(from_low, units), 2);
    if (infinite > 0)
      law.log_infinite = std::min(0.0, log_sum(law.log_infinite, std::log(round_up(infinite, units)) + 1e-9));
  }
  if (zero > 0) {
    law.ratios.insert(law.ratios.begin(), 0);
    law.masses.insert(law.masses.begin(), zero);
  }
  return law;
}

/// log of P's mass at infinity of a product: some factor is there. It grows with either factor's own.
double log_infinite_of_product(double a, double b, Side side) {
  if (a == -infinity || b == -infinity) return std::max(a, b);
  const double doubt = roundings(16, 1, a, b);
  const double either = log_sum(a, b + log_one_minus_exp(a));
  return side == Side::upper ? std::min(0.0, either + doubt) : std::max({a, b, either - doubt});
}

/// The edges as ratios, and nodes for joined ratios that lie outside: an upper law's, where a lower one placed edges.
/// Without these the outermost cell would spread its mass to 0 and to the far end, which high powers of the ratio weigh
/// far above it: so nodes go on to that end too, at gaps that widen slowly.
std::vector<double> nodes_over(const Pairing& pair, const std::vector<double>& edges) {
  // A share of a cell is off by round-off over the cell's width: no cell is narrow for an end's sake.
  constexpr double apart = 1 + 1e-7, first_gap = 0.25, growth = 1.1;
  std::vector<double> nodes;
  if (pair.lowest() <= 0) nodes.push_back(0);
  const auto add = [&](double node) {
    if (nodes.empty() || node > apart * nodes.back()) nodes.push_back(node);
  };
  const double first = std::exp(edges.front());
  for (const double low : {pair.lowest_positive(), pair.lowest_of_positives()})
    if (low < first) add(round_down(low, 4));
  std::size_t k = 0;
  while (k + 1 < edges.size() && !nodes.empty() && std::exp(edges[k]) <= apart * nodes.back()) ++k;
  for (; k < edges.size(); ++k) nodes.push_back(std::exp(edges[k]));
  const double last = round_up(pair.highest(), 4);
  for (double gap = first_gap, z = edges.back() + gap; z + gap < std::log(last); z += gap *= growth) add(std::exp(z));
  if (last > apart * nodes.back())
    nodes.push_back(last);
  else
    nodes.back() = std::max(nodes.back(), last);
  return nodes;
}

PlacedRatio placed(const Pairing& pair, Side side, int count, const NodeMap& map) {
  constexpr std::size_t most_atoms = 6000;
  if (pair.a.ratios.empty() || pair.b.ratios.empty()) return {};
  if (pair.a.ratios.size() * pair.b.ratios.size() <= std::min(4 * static_cast<std::size_t>(count), most_atoms))
    return {all_pairs(pair, side), {}};
  PlacedRatio out;
  out.edges = (map.empty() ? map_by_groups(pair, count) : map).nodes(count);
  std::vector<double> nodes = nodes_over(pair, out.edges);
  out.law = bounded_law(pair.how == Join::sum ? cells_of_pairs<Join::sum>(pair.a, pair.b, std::move(nodes))
                                              : cells_of_pairs<Join::product>(pair.a, pair.b, std::move(nodes)),
                        side);
  return out;
}

}  // namespace

PlacedRatio join(Join how, const RatioLaw& a, const RatioLaw& b, Side side, int count, const NodeMap& map) {
  if (how == Join::sum) {
    PlacedRatio out = placed({how, a, b}, side, count, map);
    out.law.terms = a.terms + b.terms;
    out.law.log_infinite =
        side == Side::upper ? std::max(a.log_infinite, b.log_infinite) : std::min(a.log_infinite, b.log_infinite);
    out.law.ratio_error += std::max(a.ratio_error, b.ratio_error);
    return out;
  }
  const RatioLaw left = factor(a, side), right = factor(b, side);
  PlacedRatio out = placed({how, left, &a == &b ? left : right}, side, count, map);
  out.law.log_infinite = log_infinite_of_product(left.log_infinite, right.log_infinite, side);
  out.law.ratio_error += left.ratio_error + right.ratio_error;
  return out;
}

RatioLaw mean_of_terms(RatioLaw law) {
  if (law.terms == 1) return law;
  for (double& ratio : law.ratios) ratio /= static_cast<double>(law.terms);
  law.ratio_error += 2 * unit_roundoff;
  law.terms = 1;
  return law;
}

}  // namespace pld
