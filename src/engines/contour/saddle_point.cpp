#include "engines/contour/saddle_point.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "pld/core/rounding.hpp"

namespace pld::contour {
namespace {

/// lambda on its interval as an increasing function of any real u: no step of a search can leave the interval.
struct Chart {
  Quantity quantity;

  [[nodiscard]] double lambda(double u) const {
    switch (quantity) {
      case Quantity::delta:
        return std::exp(u);
      case Quantity::complement:
        return -1 / (1 + std::exp(u));
      case Quantity::reverse:
        break;
    }
    return -1 - std::exp(-u);
  }
  [[nodiscard]] double derivative(double u) const {
    switch (quantity) {
      case Quantity::delta:
        return std::exp(u);
      case Quantity::complement:
        return 1 / (2 + std::exp(u) + std::exp(-u));
      case Quantity::reverse:
        break;
    }
    return std::exp(-u);
  }
  [[nodiscard]] double inverse(double lambda) const {
    switch (quantity) {
      case Quantity::delta:
        return std::log(lambda);
      case Quantity::complement:
        return std::log((1 + lambda) / -lambda);
      case Quantity::reverse:
        break;
    }
    return -std::log(-1 - lambda);
  }
  /// lambda (1 + lambda) and the pole terms without cancellation next to the poles.
  [[nodiscard]] double above_minus_one(double u) const {
    switch (quantity) {
      case Quantity::delta:
        return 1 + std::exp(u);
      case Quantity::complement:
        return 1 / (1 + std::exp(-u));
      case Quantity::reverse:
        break;
    }
    return -std::exp(-u);
  }
};

struct Probe {
  SaddlePoint point;  ///< with the epsilon for which this lambda is stationary
  double curvature = 0;
};

Probe probe(const ComposedMoment& moment, const Chart& chart, double u) {
  const double lambda = chart.lambda(u), above = chart.above_minus_one(u);
  const Cumulant at = moment.cumulant(lambda);
  Probe result;
  result.point.quantity = chart.quantity;
  result.point.lambda = lambda;
  if (!std::isfinite(at.value)) {  // beyond the tilts that are known: back from there
    result.point.epsilon = at.mean, result.point.log_value = -infinity;
    result.curvature = 1;
    return result;
  }
  result.point.epsilon = at.mean - 1 / lambda - 1 / above;
  result.curvature = at.variance + 1 / (lambda * lambda) + 1 / (above * above);
  result.point.log_value = at.value - lambda * result.point.epsilon - std::log(std::fabs(lambda * above)) -
                           0.5 * std::log(2 * std::numbers::pi * result.curvature);
  return result;
}

constexpr double widest_u = 200;
constexpr double enough = 0.02;  // lambda to 2%: the contour need not pass through the very saddle point

/// An increasing function of u whose root is looked for, and whether the value at u itself would do.
struct Residual {
  double value = 0, derivative = 0;
  bool close = false;
};

/// A root to the accuracy that is enough, and the last point of the search, where the residual was close.
struct FoundRoot {
  double root = 0, close = 0;
};

/// Newton's method on an increasing residual, kept between the points where its sign is known; it ends at u's of the
/// accuracy that is enough, where the residual is close too. Up a wall of rare hits Newton's steps creep: there they
/// are stretched.
template <class F>
std::optional<FoundRoot> search(double start, const F& residual) {
  constexpr double round_off = 1e-9;
  double low = -widest_u, high = widest_u, u = std::clamp(start, -widest_u, widest_u);
  double longest = 3, stretched = enough;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const Residual at = residual(u);
    if (std::isnan(at.value)) return std::nullopt;
    (at.value < 0 ? low : high) = u;
    double next = u - at.value / at.derivative;
    const bool creeps = std::fabs(next - u) < enough;
    if (at.close && (creeps || high - low < enough)) return FoundRoot{next, u};
    if (high - low < round_off) return FoundRoot{u, u};
    if (creeps) next = u + (at.value < 0 ? stretched : -stretched);
    stretched = creeps ? 2 * stretched : enough;
    if (!(std::fabs(next - u) <= longest)) next = u + (at.value < 0 ? longest : -longest);
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (std::fabs(next) >= widest_u - 1) return std::nullopt;
    // Steps that keep their sign may grow (the bracket is still open), others halve the bracket before long.
    longest = low > -widest_u && high < widest_u ? (high - low) / 2 : longest * 2;
    u = next;
  }
  return std::nullopt;
}

/// The nats a value may be off at the tilt that is taken for the saddle.
double nats_off(double log_value) { return 8 + 0.05 * std::fabs(log_value); }

/// Up a wall of rare hits the value falls by hundreds of nats within a root's accuracy: there the last point serves.
template <class IsClose>
SaddlePoint point_at(const ComposedMoment& moment, const Chart& chart, const FoundRoot& u, const IsClose& is_close) {
  const SaddlePoint at = probe(moment, chart, u.root).point;
  return is_close(at) ? at : probe(moment, chart, u.close).point;
}

/// The saddle of a normal loss with the moments at the nearest pole.
double normal_start(const ComposedMoment& moment, Quantity quantity, double epsilon) {
  if (quantity == Quantity::complement) return 0;
  const bool reverse = quantity == Quantity::reverse;
  const Cumulant pole = moment.cumulant(reverse ? -1 : 0);
  const double ahead = reverse ? pole.mean - epsilon : epsilon - pole.mean;
  const double root = std::sqrt(ahead * ahead + 8 * pole.variance);
  const double distance = ahead > 0 ? (ahead + root) / (2 * pole.variance) : 4 / (root - ahead);
  const double u = std::log(distance);
  if (!std::isfinite(u)) return 0;
  return reverse ? -u : u;
}

}  // namespace

SaddlePoint saddle_at_tilt(const ComposedMoment& moment, Quantity quantity, double lambda) {
  const Chart chart{quantity};
  return probe(moment, chart, chart.inverse(lambda)).point;
}

std::optional<SaddlePoint> saddle_for_epsilon(const ComposedMoment& moment, Quantity quantity, double epsilon,
                                              std::optional<double> near) {
  const Chart chart{quantity};
  const auto is_close = [&](const SaddlePoint& at) {
    const double nats = at.lambda * (at.epsilon - epsilon);
    return std::fabs(nats) < nats_off(at.log_value + nats);
  };
  const auto residual = [&](double u) {
    const Probe at = probe(moment, chart, u);
    return Residual{at.point.epsilon - epsilon, at.curvature * chart.derivative(u), is_close(at.point)};
  };
  const auto u = search(near ? chart.inverse(*near) : normal_start(moment, quantity, epsilon), residual);
  if (!u) return std::nullopt;
  SaddlePoint at = point_at(moment, chart, *u, is_close);
  // Off the exact saddle by a little: the approximation is corrected to first order, d(-lambda eps).
  at.log_value -= at.lambda * (epsilon - at.epsilon);
  at.epsilon = epsilon;
  return at;
}

std::optional<SaddlePoint> saddle_for_value(const ComposedMoment& moment, Quantity quantity, double log_value,
                                            std::optional<double> near) {
  const Chart chart{quantity};
  const auto is_close = [&](const SaddlePoint& at) {
    return std::fabs(at.log_value - log_value) < nats_off(log_value);
  };
  // d log_value / d lambda = -lambda curvature. On log(-log_value) the normal law is a straight line in u, and no law
  // is much steeper than an exponential: few steps from anywhere.
  const double sign = quantity == Quantity::delta ? 1 : -1;
  const auto residual = [&](double u) {
    const Probe at = probe(moment, chart, u);
    const double slope = sign * at.point.lambda * at.curvature * chart.derivative(u);
    const double value = at.point.log_value;
    const bool close = is_close(at.point);
    if (value < 0) return Residual{sign * (std::log(-value) - std::log(-log_value)), slope / -value, close};
    return Residual{sign * (log_value - value), slope, close};
  };
  double start = near ? chart.inverse(*near) : 0;
  if (quantity == Quantity::delta && !near) {
    const double variance = moment.cumulant(0).variance;
    start = 0.5 * std::log(std::max(1.0, -2 * log_value) / variance);
    if (!std::isfinite(start)) start = 0;
  }
  const auto u = search(start, residual);
  if (!u) return std::nullopt;
  return point_at(moment, chart, *u, is_close);
}

SaddlePoint short_of_rare_losses(const ComposedMoment& moment, const SaddlePoint& saddle, double wider) {
  constexpr double step = 0.95, most_nats = 1;
  const double pole = saddle.quantity == Quantity::reverse ? -1 : 0;
  const auto moved = [&](double share) {
    SaddlePoint out = saddle;
    out.lambda = pole + share * (saddle.lambda - pole);
    return out;
  };
  const auto log_integrand = [&](const Cumulant& at, double lambda) {
    return at.value - lambda * saddle.epsilon - std::log(std::fabs(lambda * (lambda + 1)));
  };
  if (saddle.quantity == Quantity::complement) return saddle;
  const Cumulant at = moment.cumulant(saddle.lambda);
  if (!(at.variance > wider * moment.cumulant(moved(step).lambda).variance)) return saddle;
  const double most = log_integrand(at, saddle.lambda) + most_nats;
  SaddlePoint out = saddle;
  for (double share = step; share > 0.5; share *= step) {
    const SaddlePoint next = moved(share);
    if (!(log_integrand(moment.cumulant(next.lambda), next.lambda) <= most)) break;
    out = next;
  }
  return out;
}

SaddlePoint short_of_cuts(const ComposedMoment& moment, const SaddlePoint& saddle, double log_width) {
  constexpr double step = 0.9, least = 0.1;
  for (double share = 1; share > least; share *= step) {
    SaddlePoint out = saddle;
    out.lambda *= share;
    if (moment.is_light(out.lambda, log_width)) return out;
  }
  return saddle;
}

}  // namespace pld::contour
