#include "lattice/lattice_composer.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

#include "lattice/lattice_measure.hpp"
#include "lattice/split_excess.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// Transforms up to this length are taken in one step; beyond it blocks are cheaper.
constexpr double short_transform = 1 << 17;
/// Spacings up to so much finer are looked at, for one that atoms of several distances fit.
constexpr double finer = 4.0 / 3;
/// e^spacing stays within a double's range.
constexpr double coarsest_spacing = 300;
/// Blocks pay if there can be this many of them: then few levels lead to a single release.
constexpr double fewest_blocks = 64;
/// What a point costs where a measure is regridded, in points of a transform in double.
constexpr double regrid_cost = 4;

/// Points that are put aside while one lives, for what comes after it.
class Reserved {
 public:
  Reserved(double points, double& left) : points_(points), left_(left) { spend(points, left); }
  ~Reserved() { left_ += points_; }
  Reserved(const Reserved&) = delete;
  Reserved& operator=(const Reserved&) = delete;

 private:
  double points_;
  double& left_;
};

class Composer {
 public:
  Composer(double tilt, Side side, Below below, KeptCuts& cuts, LatticeBudget& budget)
      : tilt_(tilt),
        side_(side),
        below_(below),
        cuts_(cuts),
        budget_(budget),
        longest_(static_cast<double>(budget.longest_transform)) {}

  [[nodiscard]] LatticeMeasure compose(const std::vector<CountedRelease>& releases, double log_width) const {
    const LossRange window = window_of(releases, log_width);
    const Plan plan = plan_for(releases, log_width, window);
    return plan.blocks ? convolve_blocks(releases, log_width, plan.spacing, window)
                       : convolve_directly(releases, plan.spacing, window);
  }

 private:
  /// A spacing, and whether releases go on it by blocks that were composed on finer ones.
  struct Plan {
    double spacing = 1;
    bool blocks = false;
  };

  [[nodiscard]] Plan plan_for(const std::vector<CountedRelease>& releases, double log_width, LossRange window) const {
    const double length = window.highest - window.lowest;
    const AtomSpacings atoms = atom_spacings(releases);
    const std::optional<double>& fit = atoms.fit;
    const bool exact = fit && std::all_of(releases.begin(), releases.end(),
                                          [&](const CountedRelease& r) { return exact_at(r, *fit); });
    double inexact = 0;
    for (const CountedRelease& r : releases)
      if (!fit || !exact_at(r, *fit)) inexact += static_cast<double>(r.count);

    double h = exact ? *fit : fitted(std::sqrt(log_width / (curvature() * inexact)), length, atoms);
    if (length / h > short_transform && any_repeated(releases)) {
      for (double size = short_transform; size <= longest_; size *= 2) {
        const bool dividing = fit && *fit > length / size;  // blocks go on any lattice, releases taken whole fit theirs
        const double coarse = fitted(length / size, length, dividing ? atoms : AtomSpacings{});
        const auto parts = static_cast<double>(releases.size());
        if (coarse > 1.5 * h && length <= coarse * longest_ &&
            affordable_blocks(log_width, coarse) > fewest_blocks * parts)
          return {coarse, true};
      }
    }
    const double finest = std::max(length, longest_cut(releases)) / longest_;
    if (h < finest) {
      budget_.at_limit = true;
      const double most = fit ? std::floor(*fit / finest) : 0;
      const double least = atoms.others.empty() ? most : std::ceil(most / finer);
      h = most >= 1 ? *fit / best_parts(least, most, atoms) : finest;
      if (!exact && h > coarsest_spacing) throw WorkSpent{};
    }
    return {h, false};
  }

  /// Half the second derivative of log delta by the variance, times the bounds' joint share h^2 (1/6 + 1/12).
  [[nodiscard]] double curvature() const { return tilt_ * (1 + tilt_) / 8; }

  /// How many regridded measures of spacing h half of a width pays for: each costs a little more than discretising a
  /// release.
  [[nodiscard]] double affordable_blocks(double log_width, double h) const {
    return log_width / 2 / (1.5 * curvature() * h * h);
  }

  [[nodiscard]] static double longest_cut(const std::vector<CountedRelease>& releases) {
    double longest = 0;
    for (const CountedRelease& r : releases)
      longest = std::max(longest, r.release->cut.highest - r.release->cut.lowest);
    return longest;
  }

  /// Where all but e^-18 log_width of the tilted mass lies: a tilted mass m left out moves delta by up to some hundred
  /// times m.
  [[nodiscard]] LossRange window_of(const std::vector<CountedRelease>& releases, double log_width) const {
    constexpr double points_a_cell = 60;  // of some forty readings
    const double nats = 18 - std::log(log_width);
    std::vector<CountedCumulant> cumulants;
    double points = 0;
    LossRange support{0, 0};
    for (const CountedRelease& r : releases) {
      cumulants.push_back({&r.release->cumulant, r.count});
      points += points_a_cell * static_cast<double>(r.release->cumulant.cells());
      support.lowest += static_cast<double>(r.count) * r.release->cut.lowest;
      support.highest += static_cast<double>(r.count) * r.release->cut.highest;
    }
    if (points > budget_.points) throw WorkSpent{};
    LossRange window = chernoff_window(cumulants, tilt_, nats);
    // A law tilted onto its largest loss is narrower than its outline shows: what lies beside it decays like e^{-tilt
    // z}.
    if (window.highest - window.lowest < nats / (1 + tilt_)) {
      window.lowest -= 2 * nats / (1 + tilt_);
      window.highest += 2 / (1 + tilt_);
    }
    const double margin = 2 / (1 + tilt_);
    return {std::max(window.lowest, support.lowest - margin), std::min(window.highest, support.highest + margin)};
  }

  /// How far apart atoms lie.
  struct AtomSpacings {
    struct Other {
      double spacing = 0, count = 0;
    };
    std::optional<double> fit{};  ///< of the release repeated most among those that have some
    std::vector<Other> others{};
  };
  [[nodiscard]] static AtomSpacings atom_spacings(const std::vector<CountedRelease>& releases) {
    AtomSpacings out;
    std::int64_t most = 0;
    for (const CountedRelease& r : releases)
      if (const auto d = r.release->pair->spacing(); d && r.count > most) most = r.count, out.fit = d;
    for (const CountedRelease& r : releases)
      if (const auto d = r.release->pair->spacing(); d && d != out.fit)
        out.others.push_back({*d, static_cast<double>(r.count)});
    return out;
  }

  [[nodiscard]] static bool fits(const CountedRelease& r, double spacing) {
    const auto d = r.release->pair->spacing();
    if (!d) return true;
    const double ratio = *d / spacing;
    return std::fabs(ratio - std::round(ratio)) <= 64 * unit_roundoff * ratio && ratio > 0.5;
  }
  [[nodiscard]] static bool exact_at(const CountedRelease& r, double spacing) {
    const DominatingPair& pair = *r.release->pair;
    return !pair.has_density() && (pair.spacing() ? fits(r, spacing) : pair.atoms(r.release->cut).size() <= 1);
  }
  [[nodiscard]] static bool any_repeated(const std::vector<CountedRelease>& releases) {
    return std::any_of(releases.begin(), releases.end(), [](const CountedRelease& r) { return r.count > 1; });
  }

  /// At most `spacing`, dividing the distance of the atoms, and not too coarse for the window and the tilt.
  [[nodiscard]] double fitted(double spacing, double length, const AtomSpacings& atoms) const {
    const double h = std::min({spacing, length / 256, 0.3 / tilt_, coarsest_spacing});
    if (!atoms.fit) return h;
    const double parts = std::max(1.0, std::ceil(*atoms.fit / h));  // a fraction may underflow
    return *atoms.fit / best_parts(parts, finer * parts, atoms);
  }

  /// Of so many parts of the distance that fits, those beyond whose points the atoms of other distances lie least. From
  /// below the largest loss goes down to a point: next to one it loses little if it lies above.
  [[nodiscard]] static double best_parts(double least, double most, const AtomSpacings& atoms) {
    constexpr double most_looks = 1e5;
    if (atoms.others.empty()) return least;
    const double looks = std::min(most - least, most_looks / static_cast<double>(atoms.others.size()));
    double best = least, smallest = infinity;
    for (double look = 0; look <= looks; ++look) {
      const double parts = least + look;  // which may be so large that it does not rise
      double missed = 0;
      for (const AtomSpacings::Other& other : atoms.others) {
        const double ratio = other.spacing * parts / *atoms.fit;
        missed += other.count * (ratio - std::floor(ratio * (1 + 4 * unit_roundoff)));
      }
      if (missed < smallest) smallest = missed, best = parts;
    }
    return best;
  }

  [[nodiscard]] LatticeMeasure discretised(const CutPair& release, double h) const {
    return cuts_.of(release, h, tilt_, budget_.points).on_lattice(side_);
  }

  [[nodiscard]] LatticeMeasure regridded(const LatticeMeasure& fine, double h) const {
    const double length = static_cast<double>(fine.weights.size()) * std::max(1.0, fine.spacing / h);
    if (length > 4 * longest_) throw WorkSpent{};
    spend(regrid_cost * length, budget_.points);
    return regrid(fine, h, side_);
  }

  template <class Counted>
  [[nodiscard]] double transform_points(double size, const std::vector<Counted>& factors) const {
    constexpr double points_to_transform = 3, points_to_square = 0.15;  // an index, with its noise
    double an_index = points_to_transform;
    for (const Counted& f : factors)
      an_index += points_to_transform + points_to_square * std::log2(static_cast<double>(f.count));
    return size * an_index * (budget_.precision == Precision::extended ? extended_cost : 1);
  }

  [[nodiscard]] LatticeMeasure convolve_in(const std::vector<Factor>& factors, double h, LossRange window) const {
    double origin = 0, lowest = 0, highest = 0;  // no mass lies outside lowest ... highest
    for (const Factor& f : factors) {
      const auto k = static_cast<double>(f.count);
      const LatticeMeasure& m = *f.measure;
      origin += k * m.origin;
      lowest += k * m.position(m.first);
      highest += k * m.position(m.first + static_cast<std::int64_t>(m.weights.size()));
    }
    window = {std::max(window.lowest, lowest), std::max(std::min(window.highest, highest), window.lowest)};
    if (!(window.highest - window.lowest <= 4 * longest_ * h && reaches(h, window))) throw WorkSpent{};
    const IndexWindow indices = window_over(window.lowest, window.highest, origin, h);
    spend(transform_points(static_cast<double>(indices.size), factors), budget_.points);
    return convolve(factors, indices, budget_.precision);
  }

  [[nodiscard]] LatticeMeasure convolve_directly(const std::vector<CountedRelease>& releases, double h,
                                                 LossRange window) const {
    std::deque<LatticeMeasure> measures;
    std::vector<Factor> factors;
    const bool alone = releases.size() == 1 && releases.front().count == 1;
    {
      // No cell is cut where the transforms of both sides, of which the upper one comes first, would take too much.
      const double transforms = alone ? 0 : side_ == Side::upper ? 2 : 1;
      const Reserved reserved(transforms * transform_points((window.highest - window.lowest) / h, releases),
                              budget_.points);
      for (const CountedRelease& r : releases) {
        measures.push_back(discretised(*r.release, h));
        factors.push_back({&measures.back(), r.count});
      }
    }
    if (side_ == Side::lower && below_ == Below::as_it_loses_less) split_where_better(releases, h, measures);
    if (alone) return measures.front();
    return convolve_in(factors, h, window);
  }

  /// Atoms that miss the lattice split instead of lowered, if all together lose less by that: lowering takes a part of
  /// the tilted mass, and of log delta about as much.
  void split_where_better(const std::vector<CountedRelease>& releases, double h,
                          std::deque<LatticeMeasure>& lowered) const {
    constexpr double rounding = 1e-11;
    std::vector<std::pair<std::size_t, LatticeMeasure>> split;
    double by_lowering = 0, variance = 0;
    for (std::size_t j = 0; j < releases.size(); ++j) {
      const CountedRelease& r = releases[j];
      if (r.release->pair->has_density()) continue;
      const CutLaw& law = cuts_.of(*r.release, h, tilt_, budget_.points);
      const double lost = 1 - total_weight(lowered[j]) / law.weight();
      if (!(lost > rounding)) continue;  // all on the lattice
      split.emplace_back(j, law.split_on_lattice());
      by_lowering += static_cast<double>(r.count) * lost;
      variance += static_cast<double>(r.count) * split.back().second.split_variance;
    }
    if (by_lowering > split_loss(variance, tilt_))
      for (auto& [j, measure] : split) lowered[j] = std::move(measure);
  }

  /// Blocks of each release, composed finely, regridded to spacing h, and convolved there.
  [[nodiscard]] LatticeMeasure convolve_blocks(const std::vector<CountedRelease>& releases, double log_width, double h,
                                               LossRange window) const {
    double variance = 0;
    for (const CountedRelease& r : releases) variance += variance_of(r);
    std::deque<LatticeMeasure> measures;
    std::vector<Factor> factors;
    const auto add = [&](LatticeMeasure measure, std::int64_t count) {
      measures.push_back(std::move(measure));
      factors.push_back({&measures.back(), count});
    };
    for (const CountedRelease& r : releases) {
      const double share = log_width * std::max(variance_of(r) / variance, 0.5 / static_cast<double>(releases.size()));
      const double affordable = affordable_blocks(share, h);
      const auto count = static_cast<double>(r.count);
      if (fits(r, h) && (count <= affordable || exact_at(r, h)) && longest_cut({r}) <= h * longest_) {
        add(discretised(*r.release, h), r.count);
        continue;
      }
      const std::int64_t block = block_size(count, affordable);
      const std::int64_t rest = r.count % block;
      Powers powers = compose_powers(*r.release, block, rest, share / 2 * static_cast<double>(block) / count);
      if (r.count >= block) add(regridded(powers.block, h), r.count / block);
      if (rest > 0) add(regridded(powers.rest, h), 1);
    }
    return convolve_in(factors, h, window);
  }

  /// A power of two, so that the blocks of every level divide those of the one above.
  [[nodiscard]] static std::int64_t block_size(double count, double affordable) {
    const double least = count / std::max(1.0, affordable);
    std::int64_t size = 1;
    while (static_cast<double>(size) < least) size *= 2;
    return size;
  }

  /// One release, `block` times and `rest` times.
  struct Powers {
    LatticeMeasure block, rest;
  };
  /// `block` is a power of two and larger than `rest`, which may be 0. Both are made of the same smaller blocks.
  [[nodiscard]] Powers compose_powers(const CutPair& release, std::int64_t block, std::int64_t rest,
                                      double log_width) const {
    const LossRange window = window_of({{&release, block}}, log_width);
    const Plan plan = plan_for({{&release, block}}, log_width, window);
    Powers inner;
    std::int64_t inner_block = 1, inner_rest = 0;
    if (plan.blocks) {
      inner_block = block_size(static_cast<double>(block), affordable_blocks(log_width, plan.spacing));
      inner_rest = rest % inner_block;
      const double share = static_cast<double>(inner_block) / static_cast<double>(block);
      inner = compose_powers(release, inner_block, inner_rest, log_width / 2 * share);
      inner.block = regridded(inner.block, plan.spacing);
      if (inner_rest > 0) inner.rest = regridded(inner.rest, plan.spacing);
    } else {
      inner.block = discretised(release, plan.spacing);
    }
    const auto power = [&](std::int64_t count, const LatticeMeasure* extra, LossRange within) -> LatticeMeasure {
      std::vector<Factor> factors;
      if (count > 0) factors.push_back({&inner.block, count});
      if (extra != nullptr) factors.push_back({extra, 1});
      if (factors.size() == 1 && factors.front().count == 1) return *factors.front().measure;
      return convolve_in(factors, plan.spacing, within);
    };
    Powers out;
    out.block = power(block / inner_block, nullptr, window);
    if (rest > 0)
      out.rest =
          power(rest / inner_block, inner_rest > 0 ? &inner.rest : nullptr, window_of({{&release, rest}}, log_width));
    return out;
  }

  [[nodiscard]] double variance_of(const CountedRelease& r) const {
    return static_cast<double>(r.count) * r.release->cumulant.at(tilt_).variance;
  }

  double tilt_;
  Side side_;
  Below below_;
  KeptCuts& cuts_;
  LatticeBudget& budget_;
  double longest_;
};

}  // namespace

LatticeMeasure compose_on_lattice(const std::vector<CountedRelease>& releases, double tilt, Side side, KeptCuts& cuts,
                                  LatticeBudget& budget, Below below) {
  return Composer(tilt, side, below, cuts, budget).compose(releases, budget.log_width);
}

}  // namespace pld
