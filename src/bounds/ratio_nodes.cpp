#include "bounds/ratio_nodes.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>

#include "bounds/log_scale.hpp"
#include "bounds/overloaded.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld::bounds {
namespace {

/// Half-width of what counts of a standard normal: e^{-reach^2/2} is below 1e-19.
constexpr double reach = 9.5;

constexpr double most_nodes = 1e6;

/// Step of the trapezoidal rule for the standard normal density times (1 - q + q e^{mu x - mu^2/2})^t, any q. On the
/// line Im x = a < pi/mu the density grows by e^{a^2/2}; a positive power does not grow, a negative one by at most
/// cos(mu a/2)^{-|t|} <= e^{|t| (mu a)^2 / 6} while mu a <= 1.5. So the rule's error is at most e^{a^2/2 + |t| (mu
/// a)^2/6 - 2 pi a/h} of the integral: each of the first two exponents is kept below 18, and the last is 75.
double trapezoid_step(double mu, double t) {
  const double a = t > 0 ? std::min(6.0, 3 / mu) : std::min({6.0, 1.5 / mu, std::sqrt(108 / -t) / mu});
  return 2 * std::numbers::pi * a / 75;
}

/// Equally spaced points under a normal density of the given sigma (mass normalised over them), with the log ratio of
/// N(shift, sigma^2) to N(0, sigma^2). The power's peak lies between 0 and t mu standard deviations, that of the ratio
/// itself, which is subtracted from it, at mu.
RatioNodes normal_nodes(double sigma, double shift, double spacing, double t) {
  const double mu = shift / sigma;
  const double first = -std::ceil((reach - std::min(0.0, t * mu)) * sigma / spacing);
  const double last = std::ceil((reach + std::max(1.0, t) * mu) * sigma / spacing);
  if (!(last - first < most_nodes)) return {};
  LogSum mass;
  const double whole = std::ceil(reach * sigma / spacing);
  for (double i = -whole; i <= whole; ++i) mass.add(-i * spacing * i * spacing / (2 * sigma * sigma));
  RatioNodes nodes;
  nodes.reserve(static_cast<std::size_t>(last - first) + 1);
  for (double i = first; i <= last; ++i) {
    const double x = i * spacing / sigma;
    nodes.push_back({-x * x / 2 - mass.value(), mu * x - mu * mu / 2});
  }
  return nodes;
}

RatioNodes two_points(double epsilon) {
  if (epsilon == infinity) return {};
  const double log_lie = -epsilon - std::log1p(std::exp(-epsilon)), log_truth = -std::log1p(std::exp(-epsilon));
  return {{log_truth, -epsilon}, {log_lie, epsilon}};
}

RatioNodes response_nodes(double p, double k) {
  // The other data's answer has Q's truth p, the own answer a lie's mass, and the remaining k - 2 answers tell nothing.
  const double log_lie = std::log1p(-p) - std::log(k - 1), log_ratio = std::log(p) - log_lie;
  RatioNodes nodes{{std::log(p), -log_ratio}, {log_lie, log_ratio}};
  if (k > 2) nodes.push_back({log_lie + std::log(k - 2), 0});
  return nodes;
}

/// Where, from 0 to an interval's end, the log of e^{-rate u} r^t is lowest, at the log ratio rate (2 u - to)
/// unsampled: its slope is 0 where q e^z / r = 1 / 2t; a negative power falls all along.
double lowest_of_power(double rate, double to, double t, double q) {
  if (!(t > 0.5)) return to;
  return std::clamp((to + (std::log1p(-q) - std::log(q) - std::log(2 * t - 1)) / rate) / 2, 0.0, to);
}

/// What is kept of an interval: up to `left`, and from `right` on.
struct TwoEnds {
  double left = 0, right = 0;
};

/// Where an f on [0, `to`] that falls until `lowest` and rises after is no more than `nats` below its maximum. All of
/// it, where that maximum is moderate.
template <class F>
TwoEnds where_it_counts(const F& f, double lowest, double to, double nats) {
  constexpr double moderate = 3;
  const double top = std::max(f(0.0), f(to)), least = top - nats;
  const auto end_of = [&](double end) {
    double below = lowest;
    if (f(end) < least || !(f(below) < least)) return f(end) < least ? end : below;
    constexpr int bits = 40;
    for (int i = 0; i < bits; ++i) (f((below + end) / 2) < least ? below : end) = (below + end) / 2;
    return end;
  };
  return top <= moderate ? TwoEnds{lowest, lowest} : TwoEnds{end_of(0), end_of(to)};
}

/// Q = Lap(0, 1), P = Lap(epsilon, 1): atoms at -+epsilon, and between them e^{-u}/2 du at the ratio 2u - epsilon.
RatioNodes laplace_nodes(double epsilon, double t, double q, double nats) {
  using Rule = boost::math::quadrature::gauss<double, 20>;
  const auto log_ratio = [&](double u) { return sampled_log_ratio(q, 2 * u - epsilon); };
  const auto log_integrand = [&](double u) { return t * log_ratio(u) - u; };
  // The logarithm of the integrand has slope at most 2 |t| e^{z} q / r + 1, which rises with u.
  const auto steepest = [&](double u) {
    return 2 * std::fabs(t) * std::exp(std::log(q) + 2 * u - epsilon - log_ratio(u)) + 1;
  };
  RatioNodes nodes{{-std::numbers::ln2, -epsilon}};
  const auto add_panels = [&](double from, double to) {
    constexpr double e_folds = 4, negligible = -80;  // a panel leaves nothing for 20 points
    for (double right = to; right > from && static_cast<double>(nodes.size()) < most_nodes;) {
      // Where there is no power left, what remains is e^-u and e^-u times the ratio, of slope 1.
      const bool is_gone = std::max(log_integrand(std::max(from, right - e_folds)), log_integrand(right)) < negligible;
      const double left = std::max(from, right - e_folds / (is_gone ? 1 : steepest(right))), half = (right - left) / 2;
      for (std::size_t j = 0; j < Rule::abscissa().size(); ++j)
        for (const double side : {-1.0, 1.0}) {
          const double u = left + half + side * half * Rule::abscissa()[j];
          nodes.push_back({std::log(half * Rule::weights()[j]) - u - std::numbers::ln2, 2 * u - epsilon});
        }
      right = left;
    }
  };
  const TwoEnds ends = where_it_counts(log_integrand, lowest_of_power(1, epsilon, t, q), epsilon, nats);
  add_panels(0, ends.left);
  add_panels(ends.right, epsilon);
  nodes.push_back({-epsilon - std::numbers::ln2, epsilon});
  return static_cast<double>(nodes.size()) < most_nodes ? nodes : RatioNodes{};
}

/// Mass tanh(a/2) e^{-a|x|}: everything at x <= 0 has ratio -a shift, everything at x >= shift has +a shift.
RatioNodes discrete_laplace_nodes(double a, double shift, double t, double q, double nats) {
  const double log_half_line = -std::log1p(std::exp(-a));
  const auto log_ratio = [&](double x) { return a * (2 * x - shift); };
  const auto log_term = [&](double x) { return t * sampled_log_ratio(q, log_ratio(x)) - a * x; };
  const TwoEnds ends = where_it_counts(log_term, lowest_of_power(a, shift, t, q), shift, nats);
  if (!(ends.left + shift - ends.right < most_nodes)) return {};
  RatioNodes nodes{{log_half_line, -a * shift}};
  const auto add = [&](double first, double last) {
    for (double x = first; x <= last; ++x) nodes.push_back({std::log(std::tanh(a / 2)) - a * x, log_ratio(x)});
  };
  const double last_of_left = std::min(std::floor(ends.left), shift - 1);
  add(1, last_of_left);
  add(std::max(std::ceil(ends.right), last_of_left + 1), shift - 1);
  nodes.push_back({log_half_line - a * shift, a * shift});
  return nodes;
}

/// Leaves out what is so many nats below the largest, where that is at hand.
RatioNodes nodes_within(const Parameters& mechanism, double t, double q, double nats) {
  return std::visit(
      Overloaded{[&](const Gaussian& m) {
                   const double mu = m.sensitivity / m.sigma;
                   return normal_nodes(1, mu, trapezoid_step(mu, t), t);
                 },
                 [&](const Laplace& m) { return laplace_nodes(m.sensitivity / m.scale, t, q, nats); },
                 [](const RandomizedResponse& m) {
                   require(m.p > 0 && m.p < 1, "renyi", "p", m.p, "0 < p < 1: the loss is infinite");
                   return response_nodes(m.p, m.k);
                 },
                 [](const ApproximateDp& m) {
                   require(m.delta == 0, "renyi", "delta of the dp mechanism", m.delta,
                           "delta = 0: the Renyi divergence is infinite, use approximate RDP");
                   return two_points(m.epsilon);
                 },
                 [&](const DiscreteLaplace& m) { return discrete_laplace_nodes(m.a, m.sensitivity, t, q, nats); },
                 [&](const DiscreteGaussian& m) {
                   // Every integer; or every n-th where the trapezoidal rule at that step already gives
                   // the integral, which then equals the sum over all integers.
                   const double step = trapezoid_step(m.sensitivity / m.sigma, t) * m.sigma;
                   return normal_nodes(m.sigma, m.sensitivity, std::max(1.0, std::floor(step)), t);
                 },
                 [&](const auto&) -> RatioNodes {
                   throw DomainError("renyi", "mechanism", describe({mechanism}),
                                     "one whose ratio of densities is at hand");
                 }},
      mechanism);
}

}  // namespace

double sampled_log_ratio(double q, double z) {
  if (q == 1) return z;
  return z < 700 ? std::log1p(q * std::expm1(z)) : z + std::log(q);
}

RatioNodes ratio_nodes(const Parameters& mechanism, double t, double q) {
  return nodes_within(mechanism, t, q, infinity);
}

RatioNodes power_nodes(const Parameters& mechanism, double t, double q) {
  constexpr double nats = 50;
  return nodes_within(mechanism, t, q, nats);
}

}  // namespace pld::bounds
