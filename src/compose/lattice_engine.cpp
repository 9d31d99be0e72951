#include "pld/compose/lattice_engine.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "log_range.hpp"
#include "pld/compose/cumulant.hpp"
#include "pld/compose/discretise.hpp"
#include "pld/compose/lattice_composer.hpp"
#include "pld/compose/profile_piece.hpp"
#include "pld/core/rounding.hpp"
#include "pld/lattice/lattice_profile.hpp"
#include "pld/numeric/log_sum.hpp"

namespace pld {
namespace {

/// log of the mass that the composition has at +inf: 1 - prod (1 - p)^k.
double log_mass_at_infinity(const Terms& terms) {
  double log_finite = 0;
  for (const Term& t : terms)
    log_finite += static_cast<double>(t.count) * std::log1p(-std::exp(t.pair->log_mass_at_plus_infinity()));
  return log_finite == 0 ? -infinity : std::log(-std::expm1(log_finite));
}

/// log of the probability that some release has more than its equal share of a total loss, bounded by the sum over releases: an
/// upper bound of delta(total), for totals too far out for anything better.
double log_some_loss_above_share(const Terms& terms, double total) {
  double releases = 0, log_upper = log_mass_at_infinity(terms);
  for (const Term& t : terms) releases += static_cast<double>(t.count);
  for (const Term& t : terms)
    log_upper = log_sum(log_upper, std::log(static_cast<double>(t.count)) +
                                       t.pair->above(round_down(total / releases, 4)).log_mass);
  return std::min(0.0, log_upper + 64 * unit_roundoff * std::fabs(log_upper));
}

/// The smallest loss above which at most e^log_mass of one release lies (to about 1e-3 of the distance searched).
double upper_cut(const DominatingPair& pair, double log_mass, double start) {
  const LossRange range = pair.range();
  const auto beyond = [&](double z) { return pair.above(z).log_mass > log_mass; };
  double low = std::min(start, range.highest), step = 1 + std::fabs(start);
  while (beyond(low) == false) {  // start may lie too far out already
    if (low <= range.lowest) return range.lowest;
    low = std::max(low - step, range.lowest);
    step *= 2;
  }
  if (range.highest < infinity && beyond(std::nextafter(range.highest, -infinity))) return range.highest;
  double high = low;
  for (step = 1e-3 * (1 + std::fabs(start)); beyond(high) && high < range.highest; step *= 2) high = std::min(low + step, range.highest);
  for (int i = 0; i < 30 && high - low > 1e-3 * std::fabs(high - start); ++i) {
    const double middle = low + (high - low) / 2;
    (beyond(middle) ? low : high) = middle;
  }
  return high;
}

/// The largest loss below which a release tilted by t has at most e^log_share of its mass, or the end of its range.
double lower_cut(const CutPair& release, double t, double log_share) {
  const DominatingPair& pair = *release.pair;
  const LossRange range = pair.range();
  const CumulantValue k = release.cumulant.at(t);
  const auto negligible = [&](double z) { return pair.below(z).log_mass + t * z - k.value <= log_share; };
  double high = std::min(k.mean, release.cut.highest), step = 1e-3 + std::sqrt(k.variance), low = high;
  while (!negligible(low)) {
    high = low;
    low -= step;
    step *= 2;
    if (low <= range.lowest) return range.lowest;
  }
  for (int i = 0; i < 20; ++i) {
    const double middle = low + (high - low) / 2;
    (negligible(middle) ? low : high) = middle;
  }
  return low;
}

/// One query: the releases cut and tilted for it, and its evaluation with a given budget.
class Query {
 public:
  explicit Query(const Terms& terms) : terms_(terms), log_infinity_(log_mass_at_infinity(terms)) {
    for (const Term& t : terms_) {
      outlines_.push_back(t.pair->outline());
      releases_.push_back({t.pair, t.pair->range(), Cumulant()});
      if (!t.pair->has_density())
        if (const auto d = t.pair->spacing()) highest_tilt_ = std::min(highest_tilt_, 40 / *d);
    }
    cut_above(-1e300);
  }

  /// Cuts each release so that all that is cut off weighs at most e^log_mass.
  void cut_above(double log_mass) {
    log_cut_ = -infinity;
    cumulants_.clear();
    for (std::size_t j = 0; j < terms_.size(); ++j) {
      const DominatingPair& pair = *terms_[j].pair;
      const double log_count = std::log(static_cast<double>(terms_[j].count));
      const double share = log_mass - log_count - std::log(static_cast<double>(terms_.size()));
      double& highest = releases_[j].cut.highest;
      highest = log_mass < -1e200 ? pair.range().highest : upper_cut(pair, share, typical_loss(j));
      if (highest < pair.range().highest) log_cut_ = log_sum(log_cut_, log_count + pair.above(highest).log_mass);
      releases_[j].cumulant = Cumulant(outlines_[j], highest);
      cumulants_.push_back({&releases_[j].cumulant, terms_[j].count});
    }
  }

  /// Tilts to the saddle and cuts each release below where less than e^-nats of all tilted mass lies.
  void tilt_to(const Saddle& saddle, double nats) {
    saddle_ = saddle;
    for (std::size_t j = 0; j < terms_.size(); ++j) {
      const double log_share = -nats - std::log(static_cast<double>(terms_[j].count) * static_cast<double>(terms_.size()));
      releases_[j].cut.lowest = lower_cut(releases_[j], saddle.tilt, log_share);
    }
  }

  [[nodiscard]] Saddle at_epsilon(double epsilon) const { return saddle_at_epsilon(cumulants_, epsilon, highest_tilt_); }
  [[nodiscard]] Saddle at_log_delta(double log_delta) const {
    return saddle_at_log_delta(cumulants_, log_delta, highest_tilt_);
  }
  [[nodiscard]] const Saddle& saddle() const { return saddle_; }

  /// Whether the outlines, which end some 39 standard deviations out, reach an epsilon.
  [[nodiscard]] bool reaches(double epsilon) const {
    double farthest = 0;
    for (std::size_t j = 0; j < terms_.size(); ++j)
      farthest += static_cast<double>(terms_[j].count) * outlines_[j].back().loss;
    return epsilon < farthest;
  }
  [[nodiscard]] double log_infinity() const { return log_infinity_; }
  [[nodiscard]] double log_cut() const { return log_cut_; }

  [[nodiscard]] LatticeProfile profile(Side side, const LatticeBudget& budget) const {
    std::vector<CountedRelease> counted;
    for (std::size_t j = 0; j < terms_.size(); ++j) counted.push_back({&releases_[j], terms_[j].count});
    return {compose_on_lattice(counted, saddle_.tilt, side, budget), side};
  }

 private:
  [[nodiscard]] double typical_loss(std::size_t j) const {
    double best = -infinity, loss = 0;
    for (const LossCell& c : outlines_[j])
      if (c.log_mass > best) best = c.log_mass, loss = c.loss;
    return loss;
  }

  const Terms& terms_;
  double log_infinity_;
  std::vector<std::vector<LossCell>> outlines_;
  std::vector<CutPair> releases_;
  std::vector<CountedCumulant> cumulants_;
  double log_cut_ = -infinity;
  double highest_tilt_ = 1e14;
  Saddle saddle_;
};

/// The share of delta that may be cut off, in nats.
double log_cut_share(double tolerance) { return std::log(1e-3 * std::min(tolerance, 1e-3)); }

/// Refines until `width` of what `evaluate(budget)` returns is within the tolerance. `evaluate` returns the bracket, its
/// width relative to the tolerance and how much of that no finer lattice can mend.
/// The upper bound is off by a little more than the lower one.
double between(double lower, double upper) {
  if (lower == -infinity || upper == infinity) return lower == -infinity ? upper : lower;
  return lower + 0.45 * (upper - lower);
}

/// However wide a bracket of epsilon may be, one tilt serves no wider a range of log delta.
constexpr double widest_budget = 1;

struct Evaluation {
  Bracket bracket;
  double width = 0;       ///< over the tolerance: at most 1 is good
  double round_off = 0;   ///< the part of `width` from noise
};

template <class Evaluate>
EngineAnswer refine(double first_budget, const Evaluate& evaluate) {
  LatticeBudget budget{.log_width = std::min(first_budget, widest_budget)};
  EngineAnswer best{{-infinity, 0, infinity}, false};
  double power = 1;  // width ~ log_width^power: 1 for O(spacing^2), 1/2 where atoms miss the lattice
  double last_width = 0, last_budget = 0;
  for (int attempt = 0; attempt < 12; ++attempt) {
    const Evaluation now = evaluate(budget);
    best.value.lower = std::max(best.value.lower, now.bracket.lower);
    best.value.upper = std::min(best.value.upper, now.bracket.upper);
    best.value.estimate = std::clamp(now.bracket.estimate, best.value.lower, best.value.upper);
    if (now.width <= 1) return best.converged = true, best;
    const bool no_width = !(now.width < infinity);
    const bool noisy = now.round_off > 0.3, mostly_noise = no_width ? noisy : now.round_off > 0.7 * now.width;
    if (noisy && budget.precision == Precision::standard) {
      budget.precision = Precision::extended;
      if (mostly_noise) continue;
    } else if (mostly_noise) {
      return best;
    }
    if (budget.at_limit) return best;
    if (no_width) {
      budget.log_width *= 0.1;
      continue;
    }
    if (last_width > now.width)
      power = std::clamp(std::log(last_width / now.width) / std::log(last_budget / budget.log_width), 0.4, 1.0);
    last_width = now.width;
    last_budget = budget.log_width;
    budget.log_width *= std::max(1e-3, std::pow(0.7 / now.width, 1 / power));
  }
  return best;
}

class LatticePiece final : public ProfilePiece {
 public:
  LatticePiece(LatticeProfile lower, LatticeProfile upper, const Query& query)
      : lower_(std::move(lower)), upper_(std::move(upper)), log_infinity_(query.log_infinity()),
        log_left_out_(log_sum(query.log_infinity(), query.log_cut())) {}

  [[nodiscard]] Bracket log_delta(double epsilon) const {
    const double log_lower = log_sum(lower_.log_delta(epsilon), log_infinity_);
    const double log_upper = log_sum(upper_.log_delta(epsilon), log_left_out_);
    const auto rounding = [](double x) { return std::isfinite(x) ? 8 * unit_roundoff * (1 + std::fabs(x)) : 0; };
    Bracket bracket{std::min(0.0, log_lower - rounding(log_lower)), 0, std::min(0.0, log_upper + rounding(log_upper))};
    bracket.estimate = between(bracket.lower, bracket.upper);
    return bracket;
  }
  [[nodiscard]] ProfileBracket at(double epsilon) const override {
    const Bracket value = log_delta(epsilon);
    return {value, contour::one_minus({value.lower, value.estimate, value.upper}).bracket()};
  }
  [[nodiscard]] double relative_error(double epsilon) const { return lower_.relative_error(epsilon); }

 private:
  LatticeProfile lower_, upper_;
  double log_infinity_, log_left_out_;
};

/// The finest piece made for an epsilon, and what all of them say there.
struct RefinedPiece {
  EngineAnswer answer;
  std::shared_ptr<const LatticePiece> piece;
};

/// Narrow where delta is up to e^further_nats times smaller or larger than at epsilon, by less mass cut off.
RefinedPiece refined_piece(Query& query, double epsilon, double tolerance, double further_nats) {
  // Losses whose hits do not matter at this delta would put a second hump into K and spoil the tilt, so they are cut first.
  // How large delta is is known only after the cut: the cut that fits its own delta lies between these two.
  const double share = log_cut_share(tolerance) - further_nats;
  double high = query.at_epsilon(epsilon).log_delta;
  const auto cut_for = [&](double log_delta) {
    query.cut_above(log_sum(log_delta, query.log_infinity()) + share);
    return query.at_epsilon(epsilon).log_delta;
  };
  double low = cut_for(high);
  while (high - low > 1) {
    const double middle = low + (high - low) / 2;
    (cut_for(middle) < middle ? high : low) = middle;
  }
  query.tilt_to(query.at_epsilon(epsilon), 16 + further_nats - std::log(tolerance));

  RefinedPiece out;
  out.answer = refine(0.6 * tolerance, [&](LatticeBudget& budget) {
    out.piece = std::make_shared<LatticePiece>(query.profile(Side::lower, budget), query.profile(Side::upper, budget), query);
    Evaluation e;
    e.bracket = out.piece->log_delta(epsilon);
    e.width = (e.bracket.upper - e.bracket.lower) / tolerance;
    e.round_off = 2 * out.piece->relative_error(epsilon) / tolerance;
    return e;
  });
  return out;
}

}  // namespace

EngineAnswer lattice_log_delta(const Terms& terms, double epsilon, double tolerance) {
  Query query(terms);
  if (!query.reaches(epsilon)) {
    const double upper = log_some_loss_above_share(terms, epsilon);
    return {{query.log_infinity(), upper, upper}, false};
  }
  return refined_piece(query, epsilon, tolerance, 0).answer;
}

PiecePtr lattice_piece(const Terms& terms, double epsilon, double tolerance) {
  Query query(terms);
  if (!query.reaches(epsilon)) return nullptr;
  return refined_piece(query, epsilon, tolerance, 10).piece;
}

EngineAnswer lattice_epsilon(const Terms& terms, const Bracket& log_finite, double tolerance) {
  Query query(terms);
  const double target = log_finite.upper;
  query.cut_above(target + log_cut_share(tolerance));
  query.tilt_to(query.at_log_delta(target), 24 - std::log(tolerance));
  const Saddle& saddle = query.saddle();
  const double wanted = std::max(tolerance * std::fabs(saddle.epsilon), 1e-9);

  const auto evaluate = [&](LatticeBudget& budget) {
    const LatticeProfile upper = query.profile(Side::upper, budget), lower = query.profile(Side::lower, budget);
    const double rounding = 8 * unit_roundoff * (1 + std::fabs(target));
    const double left_after_cut = log_difference(log_finite.lower - rounding, query.log_cut());
    Evaluation e;
    e.bracket.upper = upper.epsilon(left_after_cut, saddle.epsilon);
    e.bracket.lower = lower.epsilon(log_finite.upper + rounding, saddle.epsilon);
    e.bracket.estimate = between(e.bracket.lower, e.bracket.upper);
    const double enough = std::max(tolerance * std::fabs(e.bracket.estimate), 1e-9);
    e.width = (e.bracket.upper - e.bracket.lower) / enough;
    e.round_off = 2 * lower.relative_error(saddle.epsilon) / (enough * saddle.tilt);
    return e;
  };
  return refine(0.6 * wanted * saddle.tilt, evaluate);
}

}  // namespace pld
