#include "pld/readout/concentrated.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "account/all_neighbours.hpp"
#include "account/directed_run.hpp"
#include "account/far_gaussian.hpp"
#include "account/steps.hpp"
#include "core/intersection.hpp"
#include "engines/question.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "pld/readout/divergence.hpp"
#include "readout/composition_divergence.hpp"
#include "readout/rho_sum.hpp"

namespace pld {
namespace {

/// Orders that bound the search: below the first D_alpha is at most D there, beyond the last a slope bounds it.
constexpr double first_order = 1 + 1e-5, last_order = 1e6;

/// One at which D_alpha / alpha is at its limit, to all digits: lower bounds are known there that cost nothing.
constexpr double far_order = 0x1p60;

/// d - rho alpha, rounded to a side: the product and the difference are off by a unit of round-off each.
double above_line(double d, double rho, double alpha) {
  return rho == 0 ? d : round_up(d - rho * alpha + 2 * unit_roundoff * rho * alpha, 2);
}
double below_line(double d, double rho, double alpha) {
  return rho == 0 ? d : round_down(d - rho * alpha - 2 * unit_roundoff * rho * alpha, 2);
}

/// (alpha - 1) D_alpha at the orders asked so far.
class DivergenceCurve {
 public:
  DivergenceCurve(const Composition& composition, DirectionChoice direction, double tolerance)
      : divergence_(composition, direction),
        tolerance_(tolerance),
        highest_(max_divergence(composition, direction).upper),
        rho_bound_(rho_bound(composition)) {
    Composition straight(composition.neighbours());
    for (const Release& release : composition.releases()) {
      const double highest = max_divergence(Composition(composition.neighbours()).add(release.mechanism)).upper;
      const RenyiLine line = highest < infinity ? RenyiLine{highest, 0} : rho_line(release.mechanism);
      if (line.slope == infinity) {  // and makes no pair of another guarantee
        slope_ = infinity;
        break;
      }
      if (line.constant == 0 && line.slope > 0) {
        straight.add(release.mechanism, release.count);
        continue;
      }
      constant_ += static_cast<double>(release.count) * line.constant;
      slope_ += static_cast<double>(release.count) * line.slope;
    }
    const double roundings = 8 + 4 * static_cast<double>(composition.releases().size());
    if (constant_ > 0) constant_ = round_up(constant_, roundings);
    slope_ = slope_ > 0 ? round_up(slope_ + rho_bound(straight), roundings) : rho_bound(straight);
    limit_ = std::max(0.0, round_down(divergence_.least(far_order) / far_order));
  }
  /// Where a search begins. One of D_alpha / alpha needs no orders beyond which that is at most (1 + enough) times what
  /// it is known to come to.
  void ask_first_orders(double enough = -1) {
    at(first_order);
    for (double u = -11.5; u < std::log(last_order); u += 1) {
      const double order = 1 + std::exp(u);
      limit_ = std::max(limit_, round_down(at(order).lower / order));
      if (rho_from(order) <= (1 + enough) * limit_) return;
    }
    at(last_order);
  }
  /// What D_alpha / alpha comes to at some order, from below.
  [[nodiscard]] double least_rho() const { return limit_; }

  const Bracket& at(double order) {
    const auto found = known_.find(order);
    if (found != known_.end()) return found->second;
    return known_.emplace(order, divergence_.renyi(order, tolerance_)).first->second;
  }
  [[nodiscard]] const std::map<double, Bracket>& known() const { return known_; }

  /// The largest D_alpha / alpha that orders from a on can have for all that holds of large ones: D_alpha is at most
  /// the highest loss, rho_bound() alpha, and constant + slope alpha of bounded losses and others.
  [[nodiscard]] double rho_from(double a) const {
    return std::min({round_up(highest_ / a), rho_bound_, round_up(constant_ / a + slope_, 2)});
  }
  /// The largest D_alpha - rho alpha.
  [[nodiscard]] double xi_from(double a, double rho) const {
    const auto line = [&](double constant, double slope) {
      return rho >= slope ? above_line(constant, std::max(0.0, round_down(rho - slope)), a) : infinity;
    };
    return std::min({above_line(highest_, rho, a), line(0, rho_bound_), line(constant_, slope_)});
  }

 private:
  CompositionDivergence divergence_;
  double tolerance_, highest_, rho_bound_, constant_ = 0, slope_ = 0, limit_ = 0;
  std::map<double, Bracket> known_;
};

/// The chord of (alpha - 1) D_alpha over [a, b]: m (alpha - 1) + c.
struct ChordOfMoments {
  double m = 0, c = 0;
  ChordOfMoments(double a, double d_a, double b, double d_b) {
    const double at_a = (a - 1) * d_a, at_b = (b - 1) * d_b;
    m = (at_b - at_a) / (b - a);
    c = at_a - m * (a - 1);
  }
  [[nodiscard]] double divergence(double alpha) const { return m + c / (alpha - 1); }
};

constexpr double chord_rounding = 1 + 1e-9;  ///< of quotients of small differences; a and b are 1e-3 apart at least

/// The largest of f over [a, b] by an upper bound of D_alpha from the chord, where `turning` is the one inner point at
/// which f may turn (NaN: none).
template <class F>
double largest(const F& f, double a, double b, double turning) {
  double most = std::max(f(a), f(b));
  if (turning > a && turning < b) most = std::max(most, f(turning));
  return most;
}

/// sup over [a, b] of D_alpha / alpha.
double rho_over(double a, double d_a, double b, double d_b) {
  const ChordOfMoments chord(a, d_a, b, d_b);
  // (m (alpha - 1) + c) / (alpha (alpha - 1)) turns where m alpha^2 - 2 (m - c) alpha + (m - c) = 0.
  const double turning =
      chord.c < 0 && chord.m > 0 ? (chord.m - chord.c + std::sqrt((chord.m - chord.c) * -chord.c)) / chord.m : 0;
  return chord_rounding * largest([&](double alpha) { return chord.divergence(alpha) / alpha; }, a, b, turning);
}

/// sup over [a, b] of D_alpha - rho alpha.
double xi_over(double rho, double a, double d_a, double b, double d_b) {
  const ChordOfMoments chord(a, d_a, b, d_b);
  const double turning = chord.c < 0 && rho > 0 ? 1 + std::sqrt(-chord.c / rho) : 0;
  return largest([&](double alpha) { return chord.divergence(alpha) - rho * alpha; }, a, b, turning) + 1e-9 * d_b;
}

/// Splits the interval with the largest upper bound until that is within `enough(lower, upper)`.
/// `plain(a)` bounds it over every interval that begins at a, `beyond` after the last; it is `least` or more.
template <class Over, class Plain, class At, class Enough>
Bracket supremum(DivergenceCurve& curve, const Over& over, const Plain& plain, const At& at, double beyond,
                 const Enough& enough, double least = -infinity) {
  constexpr int most_orders = 400, most_in_vain = 12;
  Bracket best{-infinity, 0, infinity};
  int in_vain = 0;  // where only a theorem bounds large orders, more of them do not help
  for (int step = 0; step < most_orders && in_vain < most_in_vain; ++step) {
    const Bracket before = best;
    best.lower = least;
    best.upper = beyond;
    double low = 0, high = 0;
    const auto& known = curve.known();
    for (auto i = known.begin(); i != known.end(); ++i) {
      best.lower = std::max(best.lower, at(i->first, i->second.lower));
      const auto next = std::next(i);
      if (next == known.end()) break;
      const double most = std::min(over(i->first, i->second.upper, next->first, next->second.upper), plain(i->first));
      if (most > best.upper) best.upper = most, low = i->first, high = next->first;
    }
    constexpr double little = 1e-6;
    const bool gained = best.lower > before.lower || !(best.upper > before.upper - little * std::fabs(before.upper));
    in_vain = gained ? 0 : in_vain + 1;
    if (enough(best) || high == 0 || high - 1 < (low - 1) * (1 + 1e-3)) break;
    curve.at(1 + std::sqrt((low - 1) * (high - 1)));
  }
  return intersection({best.lower, best.lower, infinity}, at_most(best.upper));
}

/// k steps of (0, rho)-zCDP are (0, k^2 rho)-zCDP (Bun, Steinke 2016, proposition 27). Removals and additions both
/// count with the larger rho of the two directions.
Bracket rho_of_way(const Way& way, DirectionChoice direction, double tolerance) {
  const double steps = way.length();
  const DirectionChoice choice = way.replaces ? DirectionChoice::worst : direction;
  const Bracket step = zcdp_rho(way.step, choice, tolerance);
  if (steps == 1) return {-infinity, step.estimate, step.upper};
  return {-infinity, steps * steps * step.estimate, round_up(steps * steps * step.upper, 2)};
}

void require_arguments(const char* where, double rho, double tolerance) {
  require(rho >= 0 && rho < infinity, where, "rho", rho, "rho >= 0 and finite");
  require(tolerance > 0 && tolerance < infinity, where, "tolerance", tolerance, "tolerance > 0 and finite");
}

}  // namespace

Bracket zcdp_rho(const Composition& composition, DirectionChoice direction, double tolerance) {
  const Question question;
  require_arguments("zcdp", 0, tolerance);
  if (!composition.is_one_law()) {
    Bracket rho = rising_over_neighbours(composition,
                                         [&](const Composition& one) { return zcdp_rho(one, direction, tolerance); });
    if (direction != DirectionChoice::add) rho = between_bounds(rho, at_least(squared_mu_far_out(composition) / 2));
    for (const Way& way : all_ways_of(composition))
      if (const Bracket found = rho_of_way(way, direction, tolerance); found.upper < rho.upper)
        rho = between_bounds(found, rho);
    return rho;
  }
  if (is_linear(composition)) {
    const DoublesAround rho = linear_rho(composition);
    return {rho.below, rho.above, rho.above};
  }
  const double bound = rho_bound(composition);
  // Mostly one end of the orders attains the sum of what each release has at most.
  DivergenceCurve curve(composition, direction, tolerance / 4);
  double least = 0;
  const bool unbounded = curve.rho_from(last_order) == infinity;
  const auto attains = [&](double rho) {
    least = std::max(least, rho);
    return bound - least <= tolerance * least;
  };
  const auto at_bound = [&] { return Bracket{std::min(least, bound), bound, bound}; };
  if (attains(curve.least_rho())) return at_bound();
  const bool known_far = least > 0;
  const auto attains_at = [&](double divergence, double order) { return attains(round_down(divergence / order, 2)); };
  // What is loose of a few of many releases may be little of them all.
  constexpr double rough = 0.25;
  constexpr std::size_t few = 8;
  const bool many = composition.releases().size() > few;
  if (many && !unbounded &&
      attains_at(CompositionDivergence(composition, direction).renyi(last_order, rough).lower, last_order))
    return at_bound();
  if (attains_at(curve.at(first_order).lower, first_order)) return at_bound();
  constexpr double easy_order = 16;  // where no orders bound larger ones, far ones cost much and bound nothing
  const double other_end = unbounded ? easy_order : last_order;
  if (!known_far && attains_at(curve.at(other_end).lower, other_end)) return at_bound();
  if (unbounded) return {least, least, infinity};
  curve.ask_first_orders(tolerance / 4);
  const double first = curve.at(first_order).upper;  // below, D_alpha / alpha <= D_first / 1
  Bracket rho = supremum(
      curve, rho_over, [&](double a) { return curve.rho_from(a); },
      [](double alpha, double d) { return round_down(d / alpha); },
      std::max(first, curve.rho_from(curve.known().rbegin()->first)),
      [&](const Bracket& b) { return b.width() <= tolerance * b.lower; }, least);
  rho.upper = std::max(rho.lower, std::min(rho.upper, bound));
  return rho;
}

Bracket zcdp_xi(const Composition& composition, double rho, DirectionChoice direction, double tolerance) {
  const Question question;
  require_arguments("zcdp", rho, tolerance);
  if (!composition.is_one_law())
    return rising_over_neighbours(composition,
                                  [&](const Composition& one) { return zcdp_xi(one, rho, direction, tolerance); });
  if (rho >= rho_bound(composition)) return {0, 0, 0};
  if (is_linear(composition)) return {infinity, infinity, infinity};
  DivergenceCurve curve(composition, direction, tolerance / 8);
  curve.ask_first_orders();
  const double first = above_line(curve.at(first_order).upper, rho, 1);
  const auto plain = [&](double a) { return curve.xi_from(a, rho); };
  Bracket xi = supremum(
      curve, [&](double a, double d_a, double b, double d_b) { return xi_over(rho, a, d_a, b, d_b); }, plain,
      [&](double alpha, double d) { return below_line(d, rho, alpha); }, std::max(first, plain(last_order)),
      [&](const Bracket& b) { return b.upper <= 0 || b.width() <= tolerance * std::max(b.lower, 0.0); });
  xi = {std::max(0.0, xi.lower), std::max(0.0, xi.estimate), std::max(0.0, xi.upper)};
  return xi;
}

Bracket tcdp_omega(const Composition& composition, double rho, DirectionChoice direction, double tolerance) {
  const Question question;
  require_arguments("tcdp", rho, tolerance);
  if (!composition.is_one_law()) {
    Bracket omega = tcdp_omega(composition.of_pairs(), rho, direction, tolerance);
    for (const Composition& one : composition.attained_by_each())
      omega = falling(omega, tcdp_omega(one, rho, direction, tolerance));
    return omega;
  }
  if (rho >= rho_bound(composition)) return {infinity, infinity, infinity};
  if (is_linear(composition)) return {1, 1, 1};
  DivergenceCurve curve(composition, direction, tolerance / 8);
  curve.ask_first_orders();
  if (curve.at(first_order).upper > rho) {
    const bool exceeded = curve.at(first_order).lower > rho * first_order;
    return {1, 1, exceeded ? first_order : infinity};
  }
  constexpr int most_orders = 200;
  for (int step = 0; step < most_orders; ++step) {
    double good = first_order, next = infinity, exceeded = infinity;
    const auto& known = curve.known();
    for (auto i = known.begin(); i != known.end(); ++i) {
      if (i->second.lower > rho * i->first) exceeded = std::min(exceeded, i->first);
      const auto after = std::next(i);
      if (next < infinity || after == known.end()) continue;
      if (rho_over(i->first, i->second.upper, after->first, after->second.upper) <= rho)
        good = after->first;
      else
        next = after->first;
    }
    if (next == infinity) {
      // All orders computed keep it; beyond the last a bound may.
      if (rho >= curve.rho_from(last_order)) return {infinity, infinity, infinity};
      return {good, good, infinity};
    }
    if (exceeded - good <= tolerance * good || next - 1 < (good - 1) * (1 + 1e-3)) return {good, good, exceeded};
    curve.at(1 + std::sqrt((good - 1) * (next - 1)));
  }
  return {1, 1, infinity};
}

}  // namespace pld
