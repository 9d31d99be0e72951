#include "sampling/summed_ratios.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "core/work.hpp"
#include "lattice/convolve.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// P's and Q's masses of the whole numbers from 0 on.
struct Counts {
  std::vector<double> p, q;
};

struct Moments {
  double mean = 0, variance = 0;
};

Moments moments(const std::vector<double>& masses) {
  double total = 0, first = 0, second = 0;
  for (std::size_t n = 0; n < masses.size(); ++n) {
    const auto x = static_cast<double>(n);
    total += masses[n], first += masses[n] * x, second += masses[n] * x * x;
  }
  const double mean = first / total;
  return {mean, std::max(0.0, second / total - mean * mean)};
}

/// About how far from 1 ratios are under Q, those far off not counted for more than 1.
double typical_distance(const DominatingPair& pair) {
  double sum = 0;
  for (const LossCell& cell : pair.outline())
    sum += std::exp(cell.log_q_mass) * std::min(1.0, std::fabs(std::expm1(cell.loss)));
  return std::max(sum, 1e-9);
}

/// Which ratios become which whole numbers: n is from n spacings above the lowest on.
struct Rounding {
  double lowest = 0, spacing = 1;
  std::size_t most = 1;
};

/// The edges about all that weighs: below the first and above the last of them lies next to nothing, wherever ratios
/// may go. One at least.
std::span<const double> edges_kept(const DominatingPair& pair, const std::vector<double>& edges) {
  constexpr double negligible = -700;
  const auto weighs = [](const LossCell& cell) { return std::max(cell.log_mass, cell.log_q_mass) > negligible; };
  const auto first =
      std::partition_point(edges.begin(), std::prev(edges.end()), [&](double z) { return !weighs(pair.below(z)); });
  const auto last =
      std::partition_point(first, std::prev(edges.end()), [&](double z) { return weighs(pair.above(z)); });
  return {first, std::next(last)};
}

/// Outcomes by the whole number of their ratio; each mass off by 2e-12 of itself at most.
Counts counted(const DominatingPair& pair, const Rounding& rounding) {
  constexpr double points_an_atom = 10;
  const auto [lowest, spacing, most] = rounding;
  std::vector<double> all;
  for (std::size_t n = 1; n <= most; ++n) all.push_back(std::log(lowest + spacing * static_cast<double>(n)));
  const std::span<const double> edges = edges_kept(pair, all);
  const auto skipped = static_cast<std::size_t>(edges.data() - all.data());
  Counts counts{std::vector<double>(most + 1), std::vector<double>(most + 1)};
  const auto add = [&](const LossCell& cell, std::size_t n) {
    counts.p[n] += std::exp(cell.log_mass), counts.q[n] += std::exp(cell.log_q_mass);
  };
  add(pair.below(edges.front()), skipped), add(pair.above(edges.back()), skipped + edges.size());
  counts.q.front() += std::exp(pair.log_q_mass_at_minus_infinity());
  counts.p.back() += std::exp(pair.log_mass_at_plus_infinity());
  std::vector<LossCell> cells;
  if (pair.has_density()) pair.cells(edges, cells);
  for (std::size_t n = 1; n <= cells.size(); ++n) add(cells[n - 1], skipped + n);
  const std::vector<LossCell> atoms = pair.atoms({edges.front(), edges.back()});
  Work::note(points_an_atom * static_cast<double>(atoms.size()));
  for (const LossCell& atom : atoms) {
    if (atom.loss <= edges.front()) continue;  // counted as below
    const auto after = std::lower_bound(edges.begin(), edges.end(), atom.loss) - edges.begin();
    add(atom, skipped + static_cast<std::size_t>(after));
  }
  return counts;
}

LatticeMeasure measure(std::vector<double> masses) {
  LatticeMeasure out;
  out.weights = std::move(masses);
  return out;
}

/// A run of sums: what P and Q have at least and at most.
struct Range {
  double least = 0, most = 0;
};
struct Run {
  Range p, q;
};

/// Neighbouring sums together, few enough to be composed and each with far more mass than it may be off by.
std::vector<Run> runs_of(const LatticeMeasure& with, const LatticeMeasure& without, double relative) {
  constexpr double bulk = 1.0 / 400, in_tail = 0.05, clear = 1000;
  const std::size_t size = std::min(with.weights.size(), without.weights.size());
  const double noise = clear * (with.pointwise + with.slack + without.pointwise + without.slack + 1e-300);
  const double all = std::accumulate(with.weights.begin(), with.weights.end(), 0.0) +
                     std::accumulate(without.weights.begin(), without.weights.end(), 0.0);
  const auto range = [&](double sum, const LatticeMeasure& m, std::size_t sums) {
    const double off = m.slack + m.pointwise * static_cast<double>(sums) + relative * std::fabs(sum);
    return Range{std::max(0.0, sum - off), std::max(0.0, sum + off)};
  };
  std::vector<Run> runs;
  double left = 0, p = 0, q = 0;
  for (std::size_t i = 0, sums = 0; i < size; ++i) {
    p += with.weights[i], q += without.weights[i], ++sums;
    const double here = p + q, tail = std::min(left + here, all - left);
    if (i + 1 < size && here < std::max(noise, std::min(bulk, in_tail * tail))) continue;
    runs.push_back({range(p, with, sums), range(q, without, sums)});
    left += here, p = q = 0, sums = 0;
  }
  return runs;
}

/// Outcomes as whole numbers, and where their sums lie, with the record and without.
struct Counting {
  Counts counts;
  double lowest_sum = 0, highest_sum = 0;

  Counting(const DominatingPair& pair, const Rounding& rounding, double steps, double participations)
      : counts(counted(pair, rounding)) {
    const Moments of_p = moments(counts.p), of_q = moments(counts.q);
    const double without_p = steps * of_q.mean, spread = far * std::sqrt(steps * of_q.variance + 1);
    lowest_sum = std::max(0.0, without_p - spread + std::min(0.0, participations * (of_p.mean - of_q.mean)));
    highest_sum = without_p + spread + participations * std::max(0.0, of_p.mean - of_q.mean) +
                  far * std::sqrt(participations * of_p.variance + 1) + 2 * static_cast<double>(counts.q.size());
  }

  static constexpr double far = 10;
};

/// By ratios rounded as finely as sums are few enough to be transformed: participations whose ratios are all far off
/// add up to many times what the others do.
Counting counting_of(const DominatingPair& pair, std::int64_t steps, std::int64_t participations) {
  constexpr double share = 0.1, most_numbers = 1 << 16, most_sums = 1 << 19;
  const auto all = static_cast<double>(steps), in = static_cast<double>(participations);
  const double typical = typical_distance(pair);
  // So that a ratio far beyond what all others add up to is at the end, and no more numbers than a transform takes.
  const double reach = Counting::far * std::sqrt(all) * typical, lowest = std::max(0.0, 1 - reach);
  for (double spacing = std::max(share * typical, reach / most_numbers);;) {
    const auto most = static_cast<std::size_t>(std::ceil((1 + reach - lowest) / spacing));
    Counting counting(pair, {lowest, spacing, most}, all, in);
    const double sums = counting.highest_sum - counting.lowest_sum;
    if (sums <= most_sums || most == 1) return counting;
    spacing = std::min(spacing * std::max(2.0, sums / most_sums), 1 + reach - lowest);
  }
}

}  // namespace

RatioLaw summed_ratios(const DominatingPair& pair, std::int64_t steps, std::int64_t participations,
                       Direction direction) {
  const auto all = static_cast<double>(steps);
  const Counting counting = counting_of(pair, steps, participations);
  const Counts& counts = counting.counts;
  const IndexWindow window = window_over(counting.lowest_sum, counting.highest_sum, 0, 1);
  const LatticeMeasure q = measure(counts.q), p = measure(counts.p);
  const LatticeMeasure without = convolve(std::array{Factor{&q, steps}}, window, Precision::standard);
  std::vector<Factor> factors{{&p, participations}};
  if (participations < steps) factors.push_back({&q, steps - participations});
  const LatticeMeasure with = convolve(factors, window, Precision::standard);
  constexpr double points_a_sum = 30;  // of three transforms and their powers
  Work::note(points_a_sum * static_cast<double>(window.size));

  constexpr double error_of_mass = 2e-12;
  const double relative = 4 * error_of_mass * (all + 8);
  RatioLaw law;
  law.ratio_error = 8 * unit_roundoff;
  for (const Run& run : runs_of(with, without, relative)) {
    const bool removing = direction == Direction::remove;
    const double of_record = removing ? run.p.least : run.p.most, of_none = removing ? run.q.most : run.q.least;
    if (!(of_record > 1e-300 && of_none > 1e-300)) continue;
    law.ratios.push_back(of_record / of_none);
    law.masses.push_back(of_none);
  }
  return law;
}

}  // namespace pld
