#include "pairs/additive_noise_pair.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numeric/log_sum.hpp"
#include "pairs/two_atom_pair.hpp"
#include "pld/core/errors.hpp"

namespace pld {
namespace {

/// An outcome, at + rest: a difference with what its rounding took off.
struct Outcome {
  double at = 0, rest = 0;
  [[nodiscard]] Outcome mirrored() const { return {-at, -rest}; }
};

/// x - s (Knuth).
Outcome moved(double x, double s) {
  const double at = x - s, back = at - x;
  return std::isfinite(at) ? Outcome{at, (x - (at - back)) + (-s - back)} : Outcome{at, 0};
}

/// log P(X > x): the rest by the tail's slope, which may be steep. Its square is far below a unit of round-off.
double log_tail(const SymmetricLogConcaveNoise& noise, const Outcome& x) {
  const double log_tail = noise.log_tail(x.at);
  if (x.rest == 0 || log_tail == -infinity) return log_tail;
  return log_tail - x.rest * std::exp(noise.log_density(x.at) - log_tail);
}

/// log P(a < X < b), a < b. Differences of tails that cancel to less than 2/3 of the larger one, or of 1, are left to
/// others.
std::optional<double> log_interval(const SymmetricLogConcaveNoise& noise, const Outcome& a, const Outcome& b) {
  if (a.at + b.at < 0) return log_interval(noise, b.mirrored(), a.mirrored());
  if (a.at >= 0) {
    const double inner = log_tail(noise, a), outer = log_tail(noise, b);
    if (outer > inner - 1.1) return inner == -infinity ? std::optional(-infinity) : std::nullopt;
    return log_difference(inner, outer);
  }
  const double outside = std::exp(log_tail(noise, a.mirrored())) + std::exp(log_tail(noise, b));
  if (outside > 0.6) return std::nullopt;
  return std::log1p(-outside);
}

/// The first point, by doubling from `step` and then to 1%, beyond which at most e^-nats of the noise lies.
double reach_of(const SymmetricLogConcaveNoise& noise, double step, double nats) {
  double high = step;
  while (noise.log_tail(high) > -nats && high < 1e150) high *= 2;
  double low = high / 2;
  for (int i = 0; i < 7; ++i) {
    const double middle = (low + high) / 2;
    (noise.log_tail(middle) > -nats ? low : high) = middle;
  }
  return high;
}

/// Edges about both centres: equal steps where all but e^-40 lies, growing ones to where e^-760 does.
std::vector<double> outline_about(const SymmetricLogConcaveNoise& noise, double step, double s) {
  const double core = reach_of(noise, step, 40), reach = reach_of(noise, step, 760);
  std::vector<double> offsets;
  constexpr int inner = 140, outer = 60;
  for (int i = 0; i <= inner; ++i) offsets.push_back(core * i / inner);
  for (int i = 1; i <= outer; ++i) offsets.push_back(core + (reach - core) * i / outer);
  std::vector<double> edges;
  for (const double offset : offsets)
    for (const double edge : {-offset, offset, s - offset, s + offset}) edges.push_back(edge);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end(), [&](double a, double b) { return b - a < 1e-3 * core; }),
              edges.end());
  return edges;
}

std::vector<double> turns_of(const std::vector<double>& kinks, double s) {
  std::vector<double> turns{0, s};
  for (const double kink : kinks)
    for (const double turn : {-kink, kink, s - kink, s + kink}) turns.push_back(turn);
  std::sort(turns.begin(), turns.end());
  turns.erase(std::unique(turns.begin(), turns.end()), turns.end());
  return turns;
}

}  // namespace

AdditiveNoisePair::AdditiveNoisePair(std::shared_ptr<const SymmetricLogConcaveNoise> noise, double s)
    : noise_(std::move(noise)), s_(s) {
  Line line;
  line.from = s_ - noise_->largest();
  line.to = noise_->largest();
  line.rising_from = std::max(line.from, -noise_->exponential_from());
  line.rising_to = std::min(line.to, s_ + noise_->exponential_from());
  line.centre = s_ / 2;
  line.step = 0.25 * std::exp(-noise_->log_density(0));
  const std::vector<double> kinks = noise_->kinks();
  line.turns = turns_of(kinks, s_);
  line.analytic_at_turns = kinks.empty();
  line.power_at_turns = noise_->power_at_kinks();
  line.outline = outline_about(*noise_, line.step, s_);
  const double highest = std::isfinite(line.rising_to) ? noise_->loss(line.rising_to, s_) : noise_->highest_loss(s_);
  place(std::move(line), {-highest, highest});
}

double AdditiveNoisePair::log_mass_at_plus_infinity() const {
  if (noise_->largest() == infinity) return -infinity;
  const Outcome inside = moved(noise_->largest(), s_);
  return inside.at >= 0 ? log_tail(*noise_, inside) : std::log1p(-std::exp(log_tail(*noise_, inside.mirrored())));
}

double AdditiveNoisePair::loss_at(double x) const {
  const double mirror = s_ - x;
  return x >= mirror ? noise_->loss(x, s_) : -noise_->loss(mirror, s_);
}

double AdditiveNoisePair::loss_error_at(double x) const { return noise_->loss_error(std::max(x, s_ - x), s_); }

std::optional<double> AdditiveNoisePair::log_q_interval(double a, double b) const {
  return a < b ? log_interval(*noise_, {a}, {b}) : -infinity;
}

std::optional<double> AdditiveNoisePair::log_p_interval(double a, double b) const {
  return a - s_ < b - s_ ? log_interval(*noise_, moved(a, s_), moved(b, s_)) : std::optional<double>();
}

double AdditiveNoisePair::log_tail_moment(double order, double from) const {
  if (std::isfinite(range().highest)) return DominatingPair::log_tail_moment(order, from);
  if (order < 0) return log_tail_moment(1 - order, -from);
  const double at = outcome_at(from), x = at - 1e-9 * (1 + std::fabs(at));
  const double log_moment = x > s_ ? noise_->log_ratio_moment_beyond(order, x, s_) : infinity;
  return std::isnan(log_moment) ? infinity : log_moment;  // of infinite terms of either sign
}

PairPtr additive_noise_pair(std::shared_ptr<const SymmetricLogConcaveNoise> noise, double sensitivity) {
  require(sensitivity > 0 && std::isfinite(sensitivity), "additive noise", "sensitivity", sensitivity,
          "sensitivity > 0 and finite");
  if (sensitivity >= 2 * noise->largest())
    return std::make_shared<TwoAtomPair>(0, 0, -infinity, 0);  // disjoint supports
  return std::make_shared<AdditiveNoisePair>(std::move(noise), sensitivity);
}

}  // namespace pld
