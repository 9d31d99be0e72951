#include "pld/readout/loss_moments.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "account/directed_run.hpp"
#include "core/work.hpp"
#include "engines/closed_form/closed_form.hpp"
#include "engines/question.hpp"
#include "numeric/well_above.hpp"
#include "pairs/loss_grid.hpp"
#include "pairs/pair_divergence.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {
namespace {

/// Sums of some ten thousand terms of one sign, each off by 30 u (1 + |log mass|): those that matter have little of
/// that.
constexpr double rounding = 1e-11;

Bracket widened(const Bracket& b) { return {b.lower * (1 - rounding), b.estimate, b.upper * (1 + rounding)}; }

/// E_P |z - centre|^n over a pair's finite losses, n = 2 or 3.
class CentralMoment {
 public:
  CentralMoment(const DominatingPair& pair, double centre, int power) : pair_(pair), centre_(centre), power_(power) {}

  [[nodiscard]] Bracket over(const std::vector<LossGrid::Cell>& cells, double doubt) const {
    Bracket sum{};
    for (const LossGrid::Cell& cell : cells) {
      const Bracket one = of(cell, doubt);
      sum.lower += one.lower;
      sum.upper += one.upper;
    }
    sum.estimate = sum.upper < infinity ? sum.lower + (sum.upper - sum.lower) / 3 : sum.lower;
    return widened(sum);
  }

 private:
  [[nodiscard]] double g(double z) const { return std::pow(std::fabs(z - centre_), power_); }

  [[nodiscard]] Bracket of(const LossGrid::Cell& cell, double doubt) const {
    const double p = std::exp(cell.of.log_mass);
    if (cell.high == infinity) return {0, 0, right_tail(cell.low - 2 * doubt)};
    if (cell.low == -infinity) return {0, 0, left_tail(cell.of, cell.high + 2 * doubt)};
    const double low = cell.low - doubt, high = cell.high + doubt;
    const auto least = [&](double a, double b) { return a <= centre_ && centre_ <= b ? 0 : std::min(g(a), g(b)); };
    const auto most = [&](double a, double b) { return std::max(g(a), g(b)); };
    if (cell.low == cell.high) return {p * least(low, high), 0, p * most(low, high)};
    // r g(log r) bends by (g' + g'') / r: upward right of here, downward left of it.
    const double turn = centre_ - (power_ - 1), loss = cell.of.loss;
    if (low < turn && turn < high) return {p * least(low, high), 0, p * most(low, high)};
    const double by_barycentre_low = least(loss - doubt, loss + doubt),
                 by_barycentre_high = most(loss - doubt, loss + doubt);
    const double chord_a = chord(low, high, loss - doubt), chord_b = chord(low, high, loss + doubt);
    if (low >= turn) return {p * by_barycentre_low, 0, p * std::max(chord_a, chord_b)};
    return {p * std::min(chord_a, chord_b), 0, p * by_barycentre_high};
  }

  /// The mean of g with all P mass at the two ends and the cell's P and Q mass kept.
  [[nodiscard]] double chord(double low, double high, double loss) const {
    const double share = std::clamp(std::exp(low - loss) * std::expm1(loss - high) / std::expm1(low - high), 0.0, 1.0);
    return share * g(low) + (1 - share) * g(high);
  }

  /// (z - c)^n <= n! / t^n e^{t (z - c)}.
  [[nodiscard]] double right_tail(double low) const {
    if (!(low > centre_)) return infinity;
    double least = infinity;
    for (const double t : {0.02, 0.25, 1.0, 8.0}) {
      const double log_moment = pair_.log_tail_moment(1 + t, low) - t * centre_ - power_ * std::log(t);
      least = std::min(least, std::exp(well_above(log_moment, std::fabs(t * centre_))) * (power_ == 2 ? 2 : 6));
    }
    return least;
  }

  /// E_Q e^z |z - c|^n; the largest of e^z |z - c|^n left of c is at c - n.
  [[nodiscard]] double left_tail(const LossCell& tail, double high) const {
    if (!(high < centre_)) return infinity;
    const double at = std::min(high, centre_ - power_);
    return std::exp(well_above(tail.log_q_mass + at, std::fabs(tail.log_q_mass) + std::fabs(at))) * g(at);
  }

  const DominatingPair& pair_;
  double centre_;
  int power_;
};

LossMoments moments_of(const DominatingPair& pair, double tolerance) {
  // The loss of a Gaussian is N(mu^2/2, mu^2) itself.
  if (const auto law = pair.sampled_gaussian(); law && law->q == 1) {
    const auto near = [](double value) { return Bracket{round_down(value, 8), value, round_up(value, 8)}; };
    const double square = law->mu * law->mu;
    return {near(square / 2), near(square), near(2 * std::sqrt(2 / std::numbers::pi) * square * law->mu)};
  }
  // The widths fall with the square of the cells'.
  const int parts = static_cast<int>(std::clamp(std::ceil(0.03 / std::sqrt(tolerance)), 1.0, 8.0));
  PairDivergence divergence(pair);
  LossMoments out{divergence.renyi(1, tolerance), {}, {}};
  const double centre = out.mean.estimate, off = std::max(out.mean.upper - centre, centre - out.mean.lower);
  const auto [cells, doubt] = divergence.losses(parts);
  const Bracket second = CentralMoment(pair, centre, 2).over(cells, doubt);
  out.variance = {std::max(0.0, second.lower - off * off), second.estimate, second.upper};
  // Minkowski: the roots differ by no more than the centres.
  const Bracket third = CentralMoment(pair, centre, 3).over(cells, doubt);
  out.third = {std::pow(std::max(0.0, std::cbrt(third.lower) - off), 3), third.estimate,
               std::pow(std::cbrt(third.upper) + off, 3)};
  out.third = widened(out.third);
  return out;
}

void add(Bracket& sum, double count, const Bracket& one) {
  sum = {sum.lower + count * one.lower, sum.estimate + count * one.estimate, sum.upper + count * one.upper};
}

Bracket outward(const Bracket& b) { return {round_down(b.lower, 16), b.estimate, round_up(b.upper, 16)}; }

}  // namespace

Bracket LossMoments::limit_mu() const {
  const Question question;
  if (!(variance.estimate > 0)) return {0, 0, variance.upper > 0 ? infinity : 0};
  return outward({2 * mean.lower / std::sqrt(variance.upper), 2 * mean.estimate / std::sqrt(variance.estimate),
                  2 * mean.upper / std::sqrt(variance.lower)});
}

Bracket LossMoments::berry_esseen_error() const {
  const Question question;
  if (third.upper == 0) return {0, 0, 0};
  const auto error = [](double moment, double square) { return 0.56 * moment / std::pow(square, 1.5); };
  if (!(variance.lower > 0)) return {0, 1, infinity};
  return outward({error(third.lower, variance.upper), error(third.estimate, variance.estimate),
                  error(third.upper, variance.lower)});
}

std::optional<LossMoments> loss_moments(const Composition& composition, Direction direction, double tolerance) {
  const Question question;
  require(tolerance > 0 && tolerance < infinity, "loss moments", "tolerance", tolerance, "tolerance > 0 and finite");
  if (loses_infinitely(composition, direction)) return std::nullopt;
  LossMoments sum;
  bool normal = true;
  for (const Term& term : join_gaussians(terms_in(composition, direction))) {
    if (!Work::affords_piece()) throw WorkSpent{};
    const LossMoments one = moments_of(*term.pair, tolerance);
    const auto count = static_cast<double>(term.count);
    add(sum.mean, count, one.mean);
    add(sum.variance, count, one.variance);
    add(sum.third, count, one.third);
    const auto law = term.pair->sampled_gaussian();
    normal = normal && law && law->q == 1;
  }
  for (Bracket* b : {&sum.mean, &sum.variance, &sum.third})
    *b = {std::max(0.0, b->lower * (1 - rounding)), b->estimate, b->upper * (1 + rounding)};
  if (normal) sum.third = {};
  return sum;
}

}  // namespace pld
