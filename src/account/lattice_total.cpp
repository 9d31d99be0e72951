#include "account/lattice_total.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <utility>

#include "account/directed_run.hpp"
#include "core/standard_arithmetic.hpp"
#include "core/work.hpp"
#include "lattice/convolve.hpp"
#include "lattice/cumulant.hpp"
#include "lattice/discretise.hpp"
#include "lattice/tilted_cuts.hpp"
#include "pairs/loss_cuts.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// No measure is longer; a wider law takes a coarser lattice.
constexpr double longest_of_all = 1 << 20;
/// Transforms up to this length are taken in long double: their noise, of which there may be a hundred thousand, adds
/// up.
constexpr double long_double_up_to = 1 << 17;
/// What that noise comes to, about, and the lowest tilt that is taken for it.
constexpr double noise_per_release = 4e-15, lowest_tilt = 0.1;
/// A release with a density has no more intervals; a wider one takes a coarser lattice, too.
constexpr double most_intervals = 1 << 16;
/// Tilted mass outside a convolution's window, in nats.
constexpr double window_nats = 40;
/// Kinks of the profile at atoms cost a lower bound O(spacing), until composition has smoothed them: batches with atoms
/// are composed on a lattice this much finer. A release by itself is not composed before it is put on the coarser one.
constexpr double finer_for_atoms = 16;

/// The largest loss that is kept of a release.
double highest_loss(const DominatingPair& pair, const std::vector<LossCell>& outline, const TotalGrid& grid) {
  const auto heaviest = std::max_element(outline.begin(), outline.end(),
                                         [](const LossCell& a, const LossCell& b) { return a.log_mass < b.log_mass; });
  return heaviest == outline.end() ? pair.range().highest
                                   : upper_cut(pair, outline, grid.log_cut, -infinity, heaviest->loss);
}

CutPair cut(const PairPtr& pair, const std::vector<LossCell>& outline, double highest, const TotalGrid& grid) {
  CutPair out{pair, {pair->range().lowest, highest}, Cumulant(outline, highest)};
  cut_by_tilt(out, grid.tilt, grid.log_negligible);
  return out;
}

/// Where all but e^-window_nats of the convolution's tilted mass lies on one side, by Chernoff's bound at some
/// exponents around the one that is right for a normal law: a window only has to be wide enough, what it leaves out is
/// bounded by convolve().
double window_end(const std::vector<Factor>& factors, double deviation, double side) {
  double best = infinity;
  for (double share = 1.0 / 16; share <= 4; share *= 2) {
    const double s = share * std::sqrt(2 * window_nats) / deviation;
    double log_moment = window_nats;
    for (const Factor& f : factors) log_moment += static_cast<double>(f.count) * log_moment_upper(*f.measure, side * s);
    best = std::min(best, log_moment / s);
  }
  return side * best;
}

struct Moments {
  double mean = 0, variance = 0;
};

Moments moments_of(const LatticeMeasure& m) {
  double mass = 0, first = 0, second = 0;
  for (std::size_t i = 0; i < m.weights.size(); ++i) {
    const auto at = static_cast<double>(i);
    mass += m.weights[i];
    first += m.weights[i] * at;
    second += m.weights[i] * at * at;
  }
  if (!(mass > 0)) return {};
  const double centre = first / mass;
  return {m.position(m.first) + m.spacing * centre,
          m.spacing * m.spacing * std::max(0.0, second / mass - centre * centre)};
}

/// Those of each point of a window: each factor's there, one back, and what they are multiplied by.
double points_of_transforms(std::size_t factors) { return 2 * static_cast<double>(factors + 1); }

/// Without the ends that are noise of the transform or next to nothing: those go into the slack.
void trim(LatticeMeasure& m) {
  const double noise = 4 * m.pointwise + 1e-25;
  std::size_t first = 0, last = m.weights.size();
  while (first + 1 < last && m.weights[first] <= noise) ++first;
  while (last > first + 1 && m.weights[last - 1] <= noise) --last;
  double dropped = 0;
  for (std::size_t i = 0; i < m.weights.size(); ++i)
    if (i < first || i >= last) dropped += m.weights[i] + m.pointwise;
  m.slack += dropped * (1 + 1e-9);
  m.weights = {m.weights.begin() + static_cast<std::ptrdiff_t>(first),
               m.weights.begin() + static_cast<std::ptrdiff_t>(last)};
  m.first += static_cast<std::int64_t>(first);
}

/// The convolution on the finest lattice of a multiple of the factors' spacing that is no longer than that: short
/// transforms in that precision.
LatticeMeasure composed_to_fit(std::vector<Factor> factors, Side side, Precision shortest,
                               double longest = longest_of_all) {
  if (factors.size() == 1 && factors.front().count == 1) return *factors.front().measure;
  double variance = 0, spacing = 0;
  for (const Factor& f : factors) {
    variance += static_cast<double>(f.count) * moments_of(*f.measure).variance;
    spacing = std::max(spacing, f.measure->spacing);
  }
  const double deviation = std::max(std::sqrt(variance), spacing);
  constexpr double points_a_weight = 40;  // of fourteen moments
  for (const Factor& f : factors) Work::note(points_a_weight * static_cast<double>(f.measure->weights.size()));
  const double low = window_end(factors, deviation, -1), high = window_end(factors, deviation, +1);
  while ((high - low) / spacing > longest - 16) spacing *= 2;
  std::deque<LatticeMeasure> coarser;
  double origin = 0;
  for (Factor& f : factors) {
    if (f.measure->spacing < spacing) {
      coarser.push_back(regrid(*f.measure, spacing, side));
      f.measure = &coarser.back();
    }
    origin += static_cast<double>(f.count) * f.measure->origin;
  }
  const IndexWindow window = window_over(low, high, origin, spacing);
  Work::note(points_of_transforms(factors.size()) * static_cast<double>(window.size));
  const auto precision = static_cast<double>(window.size) <= long_double_up_to ? shortest : Precision::standard;
  LatticeMeasure out = convolve(factors, window, precision);
  trim(out);
  return out;
}

/// Releases of one batch.
class Batch {
 public:
  explicit Batch(const TotalGrid& grid) : grid_(grid) {}

  void add(const PairPtr& pair, std::int64_t count) {
    const std::vector<LossCell> outline = pair->outline();
    const double highest = highest_loss(*pair, outline, grid_);
    if (highest < pair->range().highest) {
      const double beyond = static_cast<double>(count) * std::exp(pair->above(highest).log_mass);
      cut_mass_ = round_up(cut_mass_ + round_up(beyond, 1e4));  // the logarithm is within 16 u (1 + |log mass|)
    }
    releases_.push_back(cut(pair, outline, highest, grid_));
    counts_.push_back(count);
    atoms_ = atoms_ || !pair->atoms(releases_.back().cut).empty();
  }

  [[nodiscard]] double cut_mass() const { return cut_mass_; }

  /// What the releases compose to, from each of these sides: they share the cells of a law.
  template <std::size_t n>
  [[nodiscard]] std::array<LatticeMeasure, n> composed(const std::array<Side, n>& sides) const {
    constexpr double all_there_are = 1e15;  // the grid was chosen beforehand
    double points_left = all_there_are;
    std::array<std::deque<LatticeMeasure>, n> measures;
    for (const CutPair& release : releases_) {
      const CutLaw law(release, spacing_for(release), grid_.tilt, points_left);
      for (std::size_t i = 0; i < n; ++i) measures[i].push_back(law.on_lattice(sides[i]));
    }
    Work::note(all_there_are - points_left);
    std::array<LatticeMeasure, n> out;
    for (std::size_t i = 0; i < n; ++i) out[i] = composed(measures[i], sides[i]);
    return out;
  }

 private:
  [[nodiscard]] LatticeMeasure composed(const std::deque<LatticeMeasure>& measures, Side side) const {
    std::vector<Factor> factors;
    for (std::size_t i = 0; i < measures.size(); ++i) factors.push_back({&measures[i], counts_[i]});
    const LatticeMeasure out = composed_to_fit(factors, side, Precision::extended);
    return out.spacing < grid_.spacing ? regrid(out, grid_.spacing, side) : out;
  }

  [[nodiscard]] double spacing_for(const CutPair& release) const {
    const bool alone = counts_.size() == 1 && counts_.front() == 1;
    double spacing = atoms_ && !alone ? grid_.spacing / finer_for_atoms : grid_.spacing;
    if (release.pair->has_density())
      while ((release.cut.highest - release.cut.lowest) / spacing > most_intervals) spacing *= 2;
    while (!reaches(spacing, release.cut)) spacing *= 2;
    return spacing;
  }

  const TotalGrid& grid_;
  std::vector<CutPair> releases_;
  std::vector<std::int64_t> counts_;
  bool atoms_ = false;
  double cut_mass_ = 0;
};

/// A block as often as it is repeated.
struct CountedBlock {
  const TotalBlock* block = nullptr;
  std::int64_t count = 1;
};

TotalBlock joined(const std::vector<CountedBlock>& blocks, Precision shortest, double longest = longest_of_all) {
  TotalBlock out{.upper = {}, .lower = {}, .batches = 0};
  std::vector<Factor> upper, lower;
  for (const auto& [block, count] : blocks) {
    upper.push_back({&block->upper, count});
    lower.push_back({&block->lower, count});
    out.batches += block->batches;
  }
  out.upper = composed_to_fit(upper, Side::upper, shortest, longest);
  out.lower = composed_to_fit(lower, Side::lower, shortest, longest);
  return out;
}

}  // namespace

TotalGrid grid_for(const Terms& expected, double log_delta, double tolerance) {
  const StandardArithmetic arithmetic;
  double releases = 0;
  for (const Term& term : expected) releases += static_cast<double>(term.count);
  TotalGrid grid;
  grid.log_cut = log_delta + std::log(1e-3 * tolerance / releases);
  grid.log_negligible = -45 - std::log(releases);
  std::deque<Cumulant> cumulants;
  std::vector<CountedCumulant> parts;
  for (const Term& term : expected) {
    const std::vector<LossCell> outline = term.pair->outline();
    cumulants.emplace_back(outline, highest_loss(*term.pair, outline, grid));
    parts.push_back({&cumulants.back(), term.count});
  }
  constexpr double highest_tilt = 1e9;
  const Saddle saddle = saddle_at_log_delta(parts, log_delta, highest_tilt);
  constexpr double widest = 0.5;  // losses of thousands have a saddle point next to 0
  grid.spacing = std::sqrt(8 * tolerance / (saddle.tilt * (1 + saddle.tilt) * releases));
  // Next to the largest loss the tilt has no end, and delta changes by more than itself within any width of epsilon
  // worth having.
  constexpr double steep = 1e4;
  if (saddle.tilt * std::fabs(saddle.epsilon) > steep * std::sqrt(releases))
    grid.spacing = std::max(grid.spacing, 0.5 * tolerance * std::fabs(saddle.epsilon) / releases);
  grid.spacing = std::min(widest, grid.spacing);
  // Noise n of the tilted mass is n e^{K(t) - t epsilon} of delta, which falls with t up to the saddle point.
  const double log_noise = std::log(noise_per_release * releases) - std::log(0.1 * tolerance) - log_delta;
  double low = lowest_tilt;
  grid.tilt = std::max(saddle.tilt, low);
  while (grid.tilt > 1.1 * low) {
    const double t = std::sqrt(low * grid.tilt);
    (sum_at(parts, t).value - t * saddle.epsilon + log_noise <= 0 ? grid.tilt : low) = t;
  }
  return grid;
}

void LatticeTotal::add(const std::vector<BoundedRelease>& releases, const TotalGrid& grid) {
  const StandardArithmetic arithmetic;
  if (releases.empty()) return;
  const bool same =
      std::all_of(releases.begin(), releases.end(), [](const BoundedRelease& r) { return r.above == r.below; });
  Batch above(grid), below(grid);
  for (const BoundedRelease& release : releases) {
    above.add(release.above, release.count);
    if (!same) below.add(release.below, release.count);
    const double log_infinite = release.above->log_mass_at_plus_infinity();  // that of `below` as well, see OrderedLaw
    if (log_infinite == -infinity) continue;
    log_finite += static_cast<double>(release.count) * std::log1p(-std::exp(log_infinite));
    log_finite_roundings += 8 + 2 * std::min(std::fabs(log_infinite), log_nothing);
  }
  cut_mass = round_up(cut_mass + above.cut_mass());
  if (same) {
    auto [upper, lower] = above.composed(std::array{Side::upper, Side::lower});
    add({.blocks = {{std::move(upper), std::move(lower), 1}}});
  } else {
    auto [upper] = above.composed(std::array{Side::upper});
    auto [lower] = below.composed(std::array{Side::lower});
    add({.blocks = {{std::move(upper), std::move(lower), 1}}});
  }
}

void LatticeTotal::add(const LatticeTotal& other) {
  const StandardArithmetic arithmetic;
  log_finite += other.log_finite;
  log_finite_roundings += other.log_finite_roundings + 1;
  cut_mass = round_up(cut_mass + other.cut_mass);
  for (const TotalBlock& block : other.blocks) {
    blocks.push_back(block);
    while (blocks.size() > 1 && blocks.back().batches >= blocks[blocks.size() - 2].batches) {
      TotalBlock both = joined({{&blocks[blocks.size() - 2]}, {&blocks.back()}}, Precision::extended);
      blocks.resize(blocks.size() - 2);
      blocks.push_back(std::move(both));
    }
  }
}

const TotalBlock& LatticeTotal::collapse() {
  const StandardArithmetic arithmetic;
  if (blocks.size() > 1) {
    std::vector<CountedBlock> all;
    for (const TotalBlock& block : blocks) all.push_back({&block});
    blocks = {joined(all, Precision::extended)};
  }
  return blocks.front();
}

LatticeTotal composed(const std::vector<CountedTotal>& totals, double points) {
  const StandardArithmetic arithmetic;
  LatticeTotal out;
  std::vector<CountedBlock> blocks;
  for (const auto& [total, count] : totals) {
    const auto times = static_cast<double>(count);
    out.log_finite += times * total->log_finite;
    out.log_finite_roundings += total->log_finite_roundings + 2;
    out.cut_mass = round_up(out.cut_mass + round_up(times * total->cut_mass));
    for (const TotalBlock& block : total->blocks) blocks.push_back({&block, count});
  }
  // For some hundred kinds: a tilt is chosen with room for their noise.
  constexpr double shortest = 1 << 10, sides = 2;
  const double longest = std::min(longest_of_all, points / (sides * points_of_transforms(blocks.size())));
  if (longest < shortest) throw WorkSpent{};
  if (!blocks.empty()) out.blocks = {joined(blocks, Precision::standard, longest)};
  return out;
}

}  // namespace pld
