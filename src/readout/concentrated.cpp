#include "pld/readout/concentrated.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "account/all_neighbours.hpp"
#include "account/directed_run.hpp"
#include "core/intersection.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "pld/readout/divergence.hpp"

namespace pld {
namespace {

/// Orders that bound the search: below the first D_alpha is at most D there, beyond the last a slope bounds it.
constexpr double first_order = 1 + 1e-5, last_order = 1e6;

/// (alpha - 1) D_alpha at the orders asked so far.
class DivergenceCurve {
 public:
  DivergenceCurve(const Composition& composition, DirectionChoice direction, double tolerance)
      : composition_(composition),
        direction_(direction),
        tolerance_(tolerance),
        highest_(max_divergence(composition, direction).upper) {
    for (const Release& release : composition.releases()) {
      // Without a bound on the loss (D_alpha <= the largest loss) or on the slope nothing holds at large orders.
      const PairPtr remove = release.mechanism.pair(Direction::remove), add = release.mechanism.pair(Direction::add);
      const double highest = std::max(remove->range().highest, add->range().highest);
      const auto count = static_cast<double>(release.count);
      if (highest < infinity)
        constant_ += count * highest;
      else
        slope_ += count * std::max(remove->renyi_slope(), add->renyi_slope());
    }
    const double roundings = 8 + 4 * static_cast<double>(composition.releases().size());
    slope_ = round_up(slope_, roundings);
    constant_ = round_up(constant_, roundings);
    for (double u = -11.5; u < std::log(last_order); u += 0.5) at(1 + std::exp(u));
    at(first_order);
    at(last_order);
  }

  const Bracket& at(double order) {
    const auto found = known_.find(order);
    if (found != known_.end()) return found->second;
    return known_.emplace(order, renyi_divergence(composition_, order, direction_, tolerance_)).first->second;
  }
  [[nodiscard]] const std::map<double, Bracket>& known() const { return known_; }

  /// D_alpha <= constant + slope alpha at every order above 1, and <= highest.
  [[nodiscard]] double constant() const { return constant_; }
  [[nodiscard]] double slope() const { return slope_; }
  [[nodiscard]] double highest() const { return highest_; }

 private:
  const Composition& composition_;
  DirectionChoice direction_;
  double tolerance_, highest_, constant_ = 0, slope_ = 0;
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

/// D_alpha = rho alpha of unsampled Gaussians alone.
std::optional<Bracket> rho_of_gaussians(const Composition& composition) {
  long double rho = 0;
  for (const Release& release : composition.releases()) {
    const auto law = release.mechanism.pair(Direction::remove)->sampled_gaussian();
    if (!law || law->q != 1) return std::nullopt;
    rho += static_cast<long double>(release.count) * law->mu * law->mu / 2;
  }
  const auto value = static_cast<double>(rho);
  return Bracket{round_down(value, 4), value, round_up(value, 4)};
}

/// A rho and one that it may be meant to be, as both were rounded.
bool at_least(double rho, double least) { return rho >= least * (1 - 32 * unit_roundoff); }

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
/// `plain(a)` bounds it over every interval that begins at a.
template <class Over, class Plain, class At, class Enough>
Bracket supremum(DivergenceCurve& curve, const Over& over, const Plain& plain, const At& at, double beyond,
                 const Enough& enough) {
  constexpr int most_orders = 400;
  Bracket best{-infinity, 0, infinity};
  for (int step = 0; step < most_orders; ++step) {
    best.lower = -infinity;
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
    if (enough(best) || high == 0 || high - 1 < (low - 1) * (1 + 1e-3)) break;
    curve.at(1 + std::sqrt((low - 1) * (high - 1)));
  }
  return intersection({best.lower, best.lower, infinity}, at_most(best.upper));
}

void require_arguments(const char* where, double rho, double tolerance) {
  require(rho >= 0 && rho < infinity, where, "rho", rho, "rho >= 0 and finite");
  require(tolerance > 0 && tolerance < infinity, where, "tolerance", tolerance, "tolerance > 0 and finite");
}

}  // namespace

Bracket zcdp_rho(const Composition& composition, DirectionChoice direction, double tolerance) {
  require_arguments("zcdp", 0, tolerance);
  if (!composition.is_exact())
    return rising(zcdp_rho(composition.of_pairs(), direction, tolerance),
                  zcdp_rho(composition.attained(), direction, tolerance));
  if (const auto rho = rho_of_gaussians(composition)) return *rho;
  DivergenceCurve curve(composition, direction, tolerance / 8);
  const double first = curve.at(first_order).upper;  // below, D_alpha / alpha <= D_first / 1
  const double last = std::min(curve.highest(), infinity) / last_order;
  const double beyond = std::max(first, std::min(last, curve.constant() / last_order + curve.slope()));
  return supremum(
      curve, rho_over, [&](double a) { return std::min(curve.highest() / a, curve.constant() / a + curve.slope()); },
      [](double alpha, double d) { return d / alpha; }, beyond,
      [&](const Bracket& b) { return b.width() <= tolerance * b.lower; });
}

Bracket zcdp_xi(const Composition& composition, double rho, DirectionChoice direction, double tolerance) {
  require_arguments("zcdp", rho, tolerance);
  if (!composition.is_exact())
    return rising(zcdp_xi(composition.of_pairs(), rho, direction, tolerance),
                  zcdp_xi(composition.attained(), rho, direction, tolerance));
  if (const auto own = rho_of_gaussians(composition)) {
    const double xi = at_least(rho, own->estimate) ? 0 : infinity;
    return {xi, xi, xi};
  }
  DivergenceCurve curve(composition, direction, tolerance / 8);
  const double first = curve.at(first_order).upper - rho;
  // D_alpha - rho alpha is at most constant + (slope - rho) alpha.
  const double excess = at_least(rho, curve.slope()) ? std::min(0.0, curve.slope() - rho) : infinity;
  const auto plain = [&](double a) {
    return std::min(curve.highest() - rho * a, excess <= 0 ? curve.constant() + excess * a : infinity);
  };
  Bracket xi = supremum(
      curve, [&](double a, double d_a, double b, double d_b) { return xi_over(rho, a, d_a, b, d_b); }, plain,
      [&](double alpha, double d) { return d - rho * alpha; }, std::max(first, plain(last_order)),
      [&](const Bracket& b) { return b.upper <= 0 || b.width() <= tolerance * std::max(b.lower, 0.0); });
  xi = {std::max(0.0, xi.lower), std::max(0.0, xi.estimate), std::max(0.0, xi.upper)};
  return xi;
}

Bracket tcdp_omega(const Composition& composition, double rho, DirectionChoice direction, double tolerance) {
  require_arguments("tcdp", rho, tolerance);
  if (!composition.is_exact())
    return falling(tcdp_omega(composition.of_pairs(), rho, direction, tolerance),
                   tcdp_omega(composition.attained(), rho, direction, tolerance));
  if (const auto own = rho_of_gaussians(composition)) {
    const double omega = at_least(rho, own->estimate) ? infinity : 1;
    return {omega, omega, omega};
  }
  DivergenceCurve curve(composition, direction, tolerance / 8);
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
      const double beyond = std::min(curve.highest() / last_order, curve.constant() / last_order + curve.slope());
      if (at_least(rho, beyond)) return {infinity, infinity, infinity};
      return {good, good, infinity};
    }
    if (exceeded - good <= tolerance * good || next - 1 < (good - 1) * (1 + 1e-3)) return {good, good, exceeded};
    curve.at(1 + std::sqrt((good - 1) * (next - 1)));
  }
  return {1, 1, infinity};
}

}  // namespace pld
