#include "pairs/location_family.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/log_sum.hpp"

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

void sort_and_unite(std::vector<double>& points, double apart) {
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end(), [&](double a, double b) { return b - a <= apart; }),
               points.end());
}

}  // namespace

double location_loss(const SymmetricLogConcaveNoise& noise, double x, double s) {
  const double mirror = s - x;
  return x >= mirror ? noise.loss(x, s) : -noise.loss(mirror, s);
}

double log_tail_of_moved(const SymmetricLogConcaveNoise& noise, double x, double s) {
  const Outcome at = moved(x, s);
  return at.at >= 0 ? log_tail(noise, at) : std::log1p(-std::exp(log_tail(noise, at.mirrored())));
}

std::optional<double> log_interval_of_moved(const SymmetricLogConcaveNoise& noise, double a, double b, double s) {
  const Outcome from = moved(a, s), to = moved(b, s);
  return from.at < to.at ? log_interval(noise, from, to) : std::nullopt;
}

std::vector<double> outline_about(const SymmetricLogConcaveNoise& noise, double step,
                                  const std::vector<double>& centres) {
  const double core = reach_of(noise, step, 40), reach = reach_of(noise, step, 760);
  constexpr int inner = 140, outer = 60;
  std::vector<double> edges;
  edges.reserve(2 * (1 + inner + outer) * centres.size());
  const auto add = [&](double offset) {
    for (const double centre : centres)
      for (const double edge : {centre - offset, centre + offset}) edges.push_back(edge);
  };
  for (int i = 0; i <= inner; ++i) add(core * i / inner);
  for (int i = 1; i <= outer; ++i) add(core + (reach - core) * i / outer);
  sort_and_unite(edges, 1e-3 * core);
  return edges;
}

std::vector<double> turns_about(const std::vector<double>& kinks, const std::vector<double>& centres) {
  std::vector<double> turns = centres;
  for (const double kink : kinks)
    for (const double centre : centres)
      for (const double turn : {centre - kink, centre + kink}) turns.push_back(turn);
  sort_and_unite(turns, 0);
  return turns;
}

}  // namespace pld
