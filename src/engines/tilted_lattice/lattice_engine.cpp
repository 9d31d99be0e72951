#include "engines/tilted_lattice/lattice_engine.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "core/intersection.hpp"
#include "engines/closed_form/closed_form.hpp"
#include "engines/epsilon_width.hpp"
#include "engines/moments/equal_shares.hpp"
#include "engines/profile_piece.hpp"
#include "engines/question.hpp"
#include "engines/rare_losses/few_hits.hpp"
#include "engines/rare_losses/hits.hpp"
#include "engines/rare_losses/hits_apart.hpp"
#include "engines/rare_losses/one_hit.hpp"
#include "engines/search.hpp"
#include "engines/tilted_lattice/lattice_query.hpp"
#include "lattice/lattice_profile.hpp"
#include "numeric/log_range.hpp"
#include "numeric/log_sum.hpp"
#include "pairs/rounded_total.hpp"
#include "pld/core/rounding.hpp"
#include "pld/mechanisms/gaussian.hpp"

namespace pld {
namespace {

/// Where all releases are (sampled) Gaussians, the upper bound of log delta(epsilon) that holds without the sampling: a
/// sampled pair is dominated by its base. Infinite for others.
double log_delta_unsampled(const Terms& terms, double epsilon) {
  Terms unsampled;
  for (const Term& t : terms) {
    const auto law = t.pair->sampled_gaussian();
    if (!law) return infinity;
    unsampled.push_back({dominating_pair(Gaussian{.sigma = 1, .sensitivity = law->mu}, Direction::remove), t.count});
  }
  return closed_form_log_delta(join_gaussians(unsampled), epsilon).value.upper;
}

/// Takes the points of listing all atoms that lie as far apart as a law says they do.
void take_points_of_atoms(const Terms& terms) {
  constexpr double points_an_atom = 15;
  double atoms = 0;
  for (const Term& t : terms)
    if (const auto spacing = t.pair->spacing(); spacing && !t.pair->has_density()) {
      const std::vector<LossCell> outline = t.pair->outline();
      if (!outline.empty()) atoms += (outline.back().loss - outline.front().loss) / *spacing;
    }
  Question::take(points_an_atom * atoms);
}

/// Bounds of compositions in which one large loss may decide; none where that takes too long.
std::optional<FewHits> few_hits(const Terms& terms, double log_delta, double epsilon) {
  constexpr std::size_t most_kinds = 30;
  if (!(epsilon > 0 && log_delta < 0 && std::isfinite(log_delta)) || terms.size() > most_kinds) return std::nullopt;
  try {
    take_points_of_atoms(terms);
    return FewHits(terms, log_delta, epsilon);
  } catch (const WorkSpent&) {
    return std::nullopt;
  }
}

/// An epsilon from `start` on at which delta is at most e^log_delta.
double epsilon_of_few_hits(const Terms& terms, double log_delta, double start) {
  const auto few = few_hits(terms, log_delta, start);
  if (!few) return infinity;
  double low = start, high = start, step = 1e-6 * start;
  while (few->log_delta_upper(high) > log_delta) {
    if (!(high < 4 * start)) return infinity;
    low = high;
    high += step;
    step *= 2;
  }
  for (int i = 0; i < 12 && high > low; ++i) {
    const double middle = low + (high - low) / 2;
    (few->log_delta_upper(middle) > log_delta ? low : high) = middle;
  }
  return high;
}

/// However wide a bracket of epsilon may be, one tilt serves no wider a range of log delta.
constexpr double widest_budget = 1;

/// For a try, some hundredths of a second.
constexpr double points_of_a_try = 1.5e6;

/// Compositions of more releases are asked for their moments first: often enough, and they cost nothing.
constexpr double many_releases = 1e6;

Bracket with_estimate(Bracket b) {
  b.estimate = estimate_between(b.lower, b.upper);
  return b;
}
Bracket bracket(double lower, double upper) { return with_estimate(intersection(at_least(lower), at_most(upper))); }

constexpr EngineAnswer nothing_known{{-infinity, 0, infinity}, false};

/// The narrower of two at either end.
void intersect(Bracket& into, const Bracket& other) {
  if (other.lower > into.lower || other.upper < into.upper) into = with_estimate(intersection(into, other));
}

/// The largest epsilon, to 1e-6, at which single hits above it gain a delta; -inf where there is none. Farther in there
/// are so many that their sum says nothing, so that it is looked for from outside.
double last_gaining(const LatticeQuery& query, double log_delta) {
  constexpr double farthest = 1e6, nearest = 1e-9, factor = 1.5;
  const auto gains = [&](double epsilon) { return query.single_hits(epsilon).log_gain(epsilon) >= log_delta; };
  double low = farthest;
  while (low > nearest && !gains(low)) low /= factor;
  if (low <= nearest) return -infinity;
  for (double high = low * factor; high - low > 1e-6 * high;) {
    const double middle = low + (high - low) / 2;
    (gains(middle) ? low : high) = middle;
  }
  return low;
}

/// The largest epsilon at which single hits alone gain a delta: of those above it, P less e^epsilon Q; and of those
/// above a loss, log((P - delta) / Q), where P is a little more than delta.
double epsilon_of_single_hits(const LatticeQuery& query, double log_delta) {
  double best = last_gaining(query, log_delta);
  for (const double nats_more : {1e-3, 0.1, 1.0}) {
    const auto weighs_more = [&](double loss) { return query.single_hits(loss).log_p >= log_delta + nats_more; };
    const LatticeQuery::SingleHits hits = query.single_hits(last_where(weighs_more, farthest_loss));
    const double gained = log_difference(hits.log_p, log_delta) - hits.log_q;
    const double rounding = 32 * unit_roundoff * (1 + std::fabs(hits.log_p) + std::fabs(log_delta)) / nats_more;
    if (gained < infinity) best = std::max(best, gained - rounding);
  }
  return best;
}

struct Evaluation {
  Bracket bracket;
  double width = 0;      ///< over the tolerance: at most 1 is good
  double round_off = 0;  ///< the part of `width` from noise
};

/// Refines until `width` of what `evaluate(budget)` returns is within the tolerance, no finer lattice can mend it, or
/// the budget is spent. `evaluate` returns the bracket, its width relative to the tolerance and how much of that is
/// noise.
template <class Evaluate>
void refine(LatticeBudget& budget, const Evaluate& evaluate, EngineAnswer& best) {
  constexpr double least_gain = 0.9;
  double power = 1;  // width ~ log_width^power: 1 for O(spacing^2), 1/2 where atoms miss the lattice
  double last_width = 0, last_budget = 0;
  for (int attempt = 0; attempt < 12; ++attempt) {
    const double points_before = budget.points;
    const Evaluation now = evaluate(budget);
    intersect(best.value, now.bracket);
    if (now.width <= 1) {
      best = {now.bracket, true};
      return;
    }
    // How much wider the finest lattice is that the points left afford, where each point costs so many times as much.
    // Points grow at most as the root of how much finer it is.
    const auto affordable = [&](double cost) {
      return std::pow(cost * (points_before - budget.points) / (0.9 * budget.points), 2);
    };
    const bool no_width = !(now.width < infinity);
    const bool noisy = now.round_off > 0.3, mostly_noise = no_width ? noisy : now.round_off > 0.7 * now.width;
    if (noisy && budget.precision == Precision::standard) {
      budget.precision = Precision::extended;
      if (mostly_noise) {
        budget.log_width *= std::max(1.0, affordable(extended_cost));
        continue;
      }
    } else if (mostly_noise) {
      return;
    }
    if (budget.at_limit) return;
    if (no_width) {
      budget.log_width *= 0.1;
      continue;
    }
    if (last_width > now.width)
      power = std::clamp(std::log(last_width / now.width) / std::log(last_budget / budget.log_width), 0.4, 1.0);
    last_width = now.width;
    last_budget = budget.log_width;
    // Where what is affordable is no gain, points may yet grow less.
    const double finest = affordable(1), wanted = std::max(1e-3, std::pow(0.7 / now.width, 1 / power));
    budget.log_width *= finest < least_gain ? std::max(wanted, finest) : wanted;
  }
}

/// What is refined from a width on; where most of the points are spent before there are both ends, from wider ones. A
/// quick try is not repeated.
template <class Evaluate>
EngineAnswer refined(double log_width, double& points, const Evaluate& evaluate) {
  constexpr double coarser = 8, part = 0.85;
  EngineAnswer best = nothing_known;
  bool found = false;
  const auto noted = [&](LatticeBudget& left) {
    const Evaluation now = evaluate(left);
    found = found || now.width < infinity;
    return now;
  };
  for (double width = log_width; !found; width *= coarser) {
    const bool last = points <= points_of_a_try || width >= widest_budget;
    LatticeBudget budget{.log_width = std::min(width, widest_budget), .points = last ? points : part * points};
    const double others = points - budget.points;
    try {
      refine(budget, noted, best);
      found = true;
    } catch (const WorkSpent&) {
      found = found || last;
    }
    points = others + budget.points;
  }
  return best;
}

/// `act(points)` with a few of the points.
template <class Act>
auto with_few(double& points, const Act& act) {
  double few = std::min(points, points_of_a_try);
  points -= few;
  auto found = act(few);
  points += few;
  return found;
}

/// The share of the width asked that the discretisation is planned for.
constexpr double planned_share = 0.6;

/// Bounds by moments; none where the cells they are sums over would take too long.
std::optional<MomentBounds> moments_of(const Terms& terms, const LatticeQuery& query) {
  try {
    take_points_of_atoms(terms);
    return query.moments();
  } catch (const WorkSpent&) {
    return std::nullopt;
  }
}

/// `without_lattice()` first where that may do, then the lattice, then both.
template <class Evaluate, class WithoutLattice, class Narrow>
EngineAnswer answer(const LatticeQuery& query, double& points, double log_width, const Evaluate& evaluate,
                    const WithoutLattice& without_lattice, const Narrow& narrow) {
  EngineAnswer best = nothing_known;
  const bool lattice_last = query.releases() > many_releases || query.saddle().log_delta > -0.01;
  if (lattice_last) {
    intersect(best.value, without_lattice());
    if (narrow(best.value)) return {best.value, true};
  }
  if (query.placed()) {
    const EngineAnswer found = refined(log_width, points, evaluate);
    if (found.converged) return found;
    intersect(best.value, found.value);
  }
  if (!lattice_last) intersect(best.value, without_lattice());
  best.converged = narrow(best.value);
  return best;
}

/// Whether P's masses are all there: what 1 - delta is at most is read off them.
bool sums_to_one(const Terms& terms) {
  return std::all_of(terms.begin(), terms.end(), [](const Term& t) { return total_doubt(*t.pair) == 0; });
}

/// Cuts and tilts for log delta at an epsilon, for use where delta is up to e^further_nats times smaller or larger too.
void prepare(LatticeQuery& query, double epsilon, double tolerance, double further_nats) {
  // Hits that do not matter at this delta would put a second hump into K and spoil the tilt, so they are cut first.
  // How large delta is is known only after the cut: the cut that fits its own delta lies between these two.
  const double share = log_hit_share(tolerance) - further_nats;
  double high = log_sum(query.at_epsilon(epsilon).log_delta, query.log_infinity().estimate);
  const auto cut_for = [&](double log_delta) {
    query.cut_above(log_delta + share, epsilon);
    return log_sum(query.at_epsilon(epsilon).log_delta,
                   std::max(Hits(query).log_gained(epsilon), query.log_infinity().estimate));
  };
  double low = cut_for(high);
  while (high - low > std::max(1.0, 1e-9 * std::fabs(low))) {
    const double middle = low + (high - low) / 2;
    (cut_for(middle) < middle ? high : low) = middle;
  }
  query.tilt_to(query.at_epsilon(epsilon), 16 + further_nats - std::log(tolerance));
}

/// A smaller 1 - delta is not sought to any relative width.
constexpr double least_complement = 1e-8;

/// Both bounds of a composition on a lattice, to be read at any epsilon: those of a query's body, as one profile or a
/// sum of them, and what the query cuts off.
template <class Profile>
class LatticePiece final : public ProfilePiece {
 public:
  template <class Body>
  LatticePiece(const Body& body, const Hits& hits, LatticeBudget& budget)
      : upper_(body.profile(Side::upper, budget)), lower_(body.profile(Side::lower, budget)), hits_(hits) {}

  [[nodiscard]] Bracket log_delta(double epsilon) const {
    return hits_.with_body(lower_.log_delta(epsilon), upper_.log_delta(epsilon), epsilon);
  }
  [[nodiscard]] double log_delta(double epsilon, Side side) const {
    return side == Side::upper ? hits_.with_body(-infinity, upper_.log_delta(epsilon), epsilon).upper
                               : hits_.with_body(lower_.log_delta(epsilon), 0, epsilon).lower;
  }
  [[nodiscard]] ProfileBracket at(double epsilon) const override {
    const Bracket value = log_delta(epsilon);
    return {value, contour::one_minus({value.lower, value.estimate, value.upper}).bracket()};
  }
  [[nodiscard]] std::size_t size() const override { return upper_.size() + lower_.size(); }
  [[nodiscard]] Evaluation evaluated(double epsilon, double tolerance) const {
    Evaluation e;
    e.bracket = log_delta(epsilon);
    e.width = e.bracket.width() / tolerance;
    const double body_share = std::min(1.0, std::exp(lower_.log_delta(epsilon) - e.bracket.lower));
    const double noise = 2 * lower_.relative_error(epsilon) * body_share;
    e.round_off = noise / tolerance;
    // Near 1 the complement is to have its digits too, as far as those of a sum near 1 go.
    const double least_delta = std::exp(e.bracket.lower), most_complement = -std::expm1(e.bracket.lower);
    if (most_complement < 0.5) {
      const double enough = tolerance * std::max(most_complement, least_complement);
      e.width = std::max(e.width, least_delta * std::expm1(e.bracket.width()) / enough);
      e.round_off = std::max(e.round_off, noise / enough);
    }
    return e;
  }

 private:
  Profile upper_, lower_;
  Hits hits_;
};
using WholePiece = LatticePiece<LatticeProfile>;
using OneHitPiece = LatticePiece<OneHit::Profile>;

/// Tilts what hits were taken from for a width of log delta near an epsilon; whether a lattice reaches there.
bool tilted_to(HitsApart& apart, double epsilon, double log_width) {
  try {
    apart.parts.tilt_to(epsilon, 24 - std::log(log_width), apart.log_delta + std::log(0.01 * std::min(log_width, 1.0)));
  } catch (const WorkSpent&) {
    return false;
  }
  return apart.parts.placed();
}

/// `by_parts(budget)`, which takes hits apart, refined to a width of log delta near an epsilon.
template <class ByParts>
EngineAnswer refine_apart(HitsApart& apart, double epsilon, double log_width, double& points, const ByParts& by_parts) {
  if (!(log_width > 0 && log_width < infinity) || !tilted_to(apart, epsilon, log_width)) return nothing_known;
  return refined(log_width, points, by_parts);
}

/// `whole()`, and `by_parts()` where that is not enough or, after a quick try of the whole, where one tilt is not
/// likely to serve.
template <class ByParts, class Quick, class Whole, class Narrow>
EngineAnswer answer_by_either(const std::optional<HitsApart>& apart, const ByParts& by_parts, const Quick& quick,
                              const Whole& whole, const Narrow& narrow) {
  const bool parts_first = apart && apart->needed;
  EngineAnswer found = parts_first ? quick() : whole();
  const auto add = [&](const EngineAnswer& other) {
    intersect(found.value, other.value);
    found.converged = other.converged || narrow(found.value);
  };
  if (!found.converged && apart) add(by_parts());
  if (!found.converged && parts_first) add(whole());
  return found;
}

/// What needs no lattice, at any epsilon: moments of all releases, their largest losses alone, and what holds without
/// sampling.
class MomentsPiece final : public ProfilePiece {
 public:
  explicit MomentsPiece(std::shared_ptr<const LatticeWork> work)
      : work_(std::move(work)),
        hits_(work_->query()),
        moments_(moments_of(work_->terms(), work_->query())),
        few_hits_(near(*work_)) {}

  /// Each reading looks for the best tilt anew, which a question has only so many points for.
  [[nodiscard]] ProfileBracket at(double epsilon) const override {
    constexpr double points_a_law = 2e5;
    const LatticeQuery& query = work_->query();
    const double points = points_a_law * static_cast<double>(work_->terms().size());
    if (Question::points_left() < points) return unknown_profile;
    Question::take(points);
    const bool reached = query.reaches(epsilon);
    Bracket found = moments_ ? by_moments(epsilon, reached) : Bracket{-infinity, 0, 0};
    const double least = std::max(query.log_infinity().lower, query.single_hits(epsilon).log_gain(epsilon));
    intersect(found, {least, 0, log_delta_of_equal_shares(work_->terms(), epsilon, query.log_infinity().upper)});
    if (!reached) intersect(found, {-infinity, 0, log_delta_unsampled(work_->terms(), epsilon)});
    if (few_hits_ && epsilon > 0) intersect(found, {-infinity, 0, few_hits_->log_delta_upper(epsilon)});
    return {found, contour::one_minus({found.lower, found.estimate, found.upper}).bracket()};
  }

 private:
  static std::optional<FewHits> near(const LatticeWork& work) {
    const double epsilon = work.epsilon();
    if (!work.query().reaches(epsilon)) return std::nullopt;
    return few_hits(work.terms(), work.query().single_hits(epsilon).log_gain(epsilon), epsilon);
  }
  [[nodiscard]] Bracket by_moments(double epsilon, bool reached) const {
    const LatticeQuery& query = work_->query();
    constexpr double steep = 1e3;  // where outlines end before epsilon
    const Bracket body = moments_->log_delta(epsilon, reached ? query.at_epsilon(epsilon).tilt : steep);
    Bracket all = hits_.with_body(reached ? body.lower : -infinity, body.upper, epsilon);
    if (reached && sums_to_one(work_->terms())) intersect(all, {moments_->log_delta_near_one(epsilon), 0, 0});
    return all;
  }

  std::shared_ptr<const LatticeWork> work_;
  Hits hits_;
  std::optional<MomentBounds> moments_;
  std::optional<FewHits> few_hits_;
};

/// The narrowest piece that `make(budget)` leads to; null where the points are too few for any.
template <class Piece, class Make>
PiecePtr narrowest(double& points, double epsilon, double width, const Make& make) {
  std::shared_ptr<const Piece> best;
  double least = infinity;
  refined(planned_share * width, points, [&](LatticeBudget& left) {
    const auto piece = std::make_shared<const Piece>(make(left));
    const Evaluation found = piece->evaluated(epsilon, width);
    if (found.width < least) best = piece, least = found.width;
    return found;
  });
  return best;
}

}  // namespace

double lattice_points(std::size_t kinds) {
  constexpr double points_in_all = 7e7, points_a_release = 2.4e5;
  return points_in_all + points_a_release * static_cast<double>(kinds);
}

LatticeWork::LatticeWork(const Terms& terms, double epsilon, double width, double nats, double& points)
    : terms_(terms), epsilon_(epsilon), width_(width), nats_(nats), points_(points), query_(terms) {
  if (query_.reaches(epsilon)) prepare(query_, epsilon, width, nats);
}

bool LatticeWork::without_lattice_first() const {
  return query_.reaches(epsilon_) && (query_.releases() > many_releases || query_.saddle().log_delta > -0.01);
}

bool LatticeWork::is_below(double log_delta) const {
  return query_.reaches(epsilon_) && query_.saddle().log_delta < log_delta;
}

/// By what delta is at epsilon itself.
HitsApart* LatticeWork::apart() const {
  if (asked_apart_ || !query_.reaches(epsilon_)) return apart_ ? &*apart_ : nullptr;
  asked_apart_ = true;
  const auto take = [&](const LatticeQuery& query) {
    if (auto found = apart_at_epsilon(terms_, query, epsilon_, width_)) apart_.emplace(std::move(*found));
  };
  if (nats_ == 0) {
    take(query_);
  } else {
    LatticeQuery here(terms_);
    prepare(here, epsilon_, width_, 0);
    take(here);
  }
  return apart_ ? &*apart_ : nullptr;
}

PiecePtr LatticeWork::within(double& points) const {
  if (!query_.reaches(epsilon_) || !query_.placed()) return nullptr;
  return narrowest<WholePiece>(points, epsilon_, width_,
                               [&](LatticeBudget& left) { return WholePiece(query_, Hits(query_), left); });
}

PiecePtr LatticeWork::whole() const {
  PiecePtr found = within(points_);
  if (found || nats_ == 0) return found;
  return LatticeWork(terms_, epsilon_, 2 * width_, nats_, points_).within(points_);  // other cuts may bring both ends
}
PiecePtr LatticeWork::quick() const {
  return with_few(points_, [this](double& few) { return within(few); });
}

PiecePtr LatticeWork::parts() const {
  if (!apart() || !tilted_to(*apart_, epsilon_, width_)) return nullptr;
  const auto make = [&](LatticeBudget& left) { return OneHitPiece(apart_->parts, apart_->beyond, left); };
  return narrowest<OneHitPiece>(points_, epsilon_, width_, make);
}

PiecePtr without_lattice_piece(std::shared_ptr<const LatticeWork> work) {
  return std::make_shared<MomentsPiece>(std::move(work));
}

EngineAnswer lattice_epsilon(const Terms& terms, const Bracket& log_finite, double tolerance, double& points) {
  LatticeQuery query(terms);
  const double target = log_finite.upper, share = log_hit_share(tolerance),
               rounding = 8 * unit_roundoff * (1 + std::fabs(target));
  const double log_delta = log_sum(log_finite.upper + rounding, query.log_infinity().upper) + rounding;
  // delta(epsilon) is at least 1 - e^epsilon. Where delta(0) is not reached and delta is as good as nothing, so is
  // epsilon.
  const double least = log_delta < 0 ? round_down(log_one_minus_exp(log_delta), 8) : -infinity;
  if (least >= -nearest_zero && log_delta_of_equal_shares(terms, 0, -infinity) <= log_finite.lower)
    return {bracket(least, 0), true};
  query.cut_above(target + share, infinity);
  const double near = query.at_log_delta(target).epsilon;
  // Hits far above epsilon count in full, and epsilon is then where the body has the rest of delta. `reach` is as far
  // as that is used: no lower end is claimed above it.
  const double reach = near + 1 + 0.1 * std::fabs(near);
  query.cut_above(target + share, reach);
  if (!(query.log_hits().upper < target - 1)) query.cut_above(target + share, infinity);
  query.tilt_to(query.at_log_delta(log_difference(target, query.log_hits().estimate)), 24 - std::log(tolerance));
  const Saddle& saddle = query.saddle();
  const double log_least = log_sum(log_finite.lower, query.log_infinity().lower) - rounding;
  const double wanted = enough_width(saddle.epsilon, tolerance);

  // What of delta is left for the body at the upper end, and what is needed of it at the lower one.
  const double left = log_difference(log_finite.lower - rounding, query.log_hits().upper) - rounding;
  const double hits_at_least = log_difference(query.log_hits().lower, reach + query.log_q_hits()) - rounding;
  const double needed = log_difference(log_finite.upper + rounding, hits_at_least) + rounding;
  const auto within_reach = [&](double lower, double upper) { return bracket(std::min(lower, reach), upper); };
  const auto enough = [&](const Bracket& b) { return enough_width(b.estimate, tolerance); };
  const auto evaluate = [&](LatticeBudget& budget) {
    const LatticeProfile upper = query.profile(Side::upper, budget), lower = query.profile(Side::lower, budget);
    Evaluation e;
    e.bracket = within_reach(lower.epsilon(needed, saddle.epsilon), upper.epsilon(left, saddle.epsilon));
    e.width = e.bracket.width() / enough(e.bracket);
    if (std::isnan(e.width)) e.width = infinity;
    e.round_off = 2 * lower.relative_error(saddle.epsilon) / (enough(e.bracket) * saddle.tilt);
    return e;
  };
  const auto without_lattice = [&] {
    Bracket found{-infinity, 0, infinity};
    if (const auto moments = moments_of(terms, query)) {
      const Bracket body = moments->epsilon({left, needed, needed}, saddle.tilt);
      intersect(found, within_reach(body.lower, body.upper));
      if (log_delta < 0 && sums_to_one(terms))
        intersect(found, {moments->epsilon_near_one(round_down(log_one_minus_exp(log_delta), 8)), 0, infinity});
    }
    const double single = epsilon_of_single_hits(query, log_delta);
    intersect(found, {single, 0, infinity});
    intersect(found, {-infinity, 0, epsilon_of_few_hits(terms, log_least, single)});
    if (found.upper == infinity) intersect(found, {-infinity, 0, epsilon_of_equal_shares(terms, log_finite.lower)});
    return found;
  };
  const auto narrow = [&](const Bracket& b) { return is_narrow(b, tolerance); };
  const auto whole = [&] {
    return answer(query, points, planned_share * wanted * saddle.tilt, evaluate, without_lattice, narrow);
  };
  auto apart = apart_at_log_delta(terms, query, log_delta, tolerance);
  const auto by_parts = [&] {
    const auto excess = [&](double epsilon) { return apart->parts.log_delta_about(epsilon) - log_delta; };
    const double about = crossing(excess, saddle.epsilon, 1e-3).second;
    if (!(about > 0 && about < infinity)) return nothing_known;
    const double wanted_there = enough_width(about, tolerance), slope = apart->parts.slope_about(about);
    return refine_apart(*apart, about, planned_share * wanted_there * slope, points, [&](LatticeBudget& budget) {
      const OneHitPiece piece(apart->parts, apart->beyond, budget);
      Evaluation e;
      e.bracket =
          bracket(crossing([&](double x) { return piece.log_delta(x, Side::lower) - log_delta; }, about, 1e-12).first,
                  crossing([&](double x) { return piece.log_delta(x, Side::upper) - log_least; }, about, 1e-12).second);
      e.width = e.bracket.width() / enough(e.bracket);
      if (!(e.width < infinity)) {
        e.width = infinity;
        budget.at_limit = true;  // a finer lattice does not bring an end that is not there
      }
      e.round_off = piece.evaluated(about, 1).round_off / (wanted_there * slope);
      return e;
    });
  };
  const auto quick = [&] {
    return with_few(points, [&](double& few) { return refined(planned_share * wanted * saddle.tilt, few, evaluate); });
  };
  return answer_by_either(apart, by_parts, quick, whole, narrow);
}

}  // namespace pld
