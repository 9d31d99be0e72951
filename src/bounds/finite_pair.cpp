#include "pld/bounds/finite_pair.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bounds/log_scale.hpp"
#include "core/standard_arithmetic.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld::bounds {
namespace {

/// An outcome's loss with both masses.
struct Outcome {
  double p = 0, q = 0;
  [[nodiscard]] double loss() const {
    if (q == 0) return infinity;
    const double ratio = p / q;
    return ratio < infinity ? std::log(ratio) : std::log(p) - std::log(q);
  }
};

/// factor * x, 0 where x is, though the factor, as large an exponential as there is, may have overflowed.
double times(double factor, double x) { return x == 0 ? 0 : factor * x; }

/// Outcomes by decreasing likelihood ratio.
std::vector<Outcome> by_ratio(const FinitePair& pair) {
  std::vector<Outcome> outcomes;
  for (std::size_t i = 0; i < pair.p.size(); ++i) {
    if (pair.p[i] > 0 || pair.q[i] > 0) outcomes.push_back({pair.p[i], pair.q[i]});
  }
  std::sort(outcomes.begin(), outcomes.end(), [](const auto& a, const auto& b) { return a.p * b.q > b.p * a.q; });
  return outcomes;
}

double sum(const std::vector<double>& x) { return std::accumulate(x.begin(), x.end(), 0.0); }

double hockey_stick(const std::vector<double>& p, const std::vector<double>& q, double epsilon) {
  double total = 0;
  const double scale = std::exp(epsilon);
  for (std::size_t i = 0; i < p.size(); ++i) total += std::max(0.0, p[i] - times(scale, q[i]));
  return total;
}

}  // namespace

void require_valid(const FinitePair& pair) {
  require(!pair.p.empty() && pair.p.size() == pair.q.size(), "finite pair", "length",
          static_cast<double>(pair.p.size()), "that of both vectors, >= 1");
  for (const auto* vector : {&pair.p, &pair.q}) {
    for (const double mass : *vector) require(mass >= 0 && mass <= 1, "finite pair", "mass", mass, "0 <= mass <= 1");
    require(std::fabs(sum(*vector) - 1) <= 1e-12, "finite pair", "sum of masses", sum(*vector), "1");
  }
}

double renyi_divergence(const FinitePair& pair, double alpha) {
  const StandardArithmetic arithmetic;
  require_valid(pair);
  require(alpha >= 1, "renyi", "alpha", alpha, "alpha >= 1");
  LogSum moment;
  double kl = 0, largest = -infinity;
  for (const Outcome& o : by_ratio(pair)) {
    if (o.p == 0) continue;
    if (o.q == 0) return infinity;
    largest = std::max(largest, o.loss());
    kl += o.p * o.loss();
    if (alpha > 1 && std::isfinite(alpha)) moment.add(std::log(o.p) + (alpha - 1) * o.loss());
  }
  if (alpha == 1) return kl;
  return std::isinf(alpha) ? largest : moment.value() / (alpha - 1);
}

double alpha_divergence(const FinitePair& pair, double alpha) {
  const StandardArithmetic arithmetic;
  require(alpha > 1 && std::isfinite(alpha), "alpha divergence", "alpha", alpha, "alpha > 1 and finite");
  return std::expm1((alpha - 1) * renyi_divergence(pair, alpha)) / alpha / (alpha - 1);
}

DeltaExpressions delta_expressions(const FinitePair& pair, double epsilon) {
  const StandardArithmetic arithmetic;
  require_valid(pair);
  require(std::isfinite(epsilon), "delta", "epsilon", epsilon, "a finite number");
  const double scale = std::exp(epsilon);
  const auto outcomes = by_ratio(pair);
  DeltaExpressions d;
  // The best event takes outcomes by decreasing ratio: the best prefix.
  double prefix = 0;
  for (const Outcome& o : outcomes) prefix += o.p - times(scale, o.q), d.supremum = std::max(d.supremum, prefix);
  double p_tail = 0, q_tail = 0;
  for (const Outcome& o : outcomes) {
    const double reverse_loss = o.p == 0 ? infinity : std::log(o.q / o.p);  // Z' of this outcome
    if (o.loss() > epsilon) p_tail += o.p;
    if (-reverse_loss > epsilon) q_tail += o.q;
    d.expectation += o.p * std::max(0.0, -std::expm1(epsilon - o.loss()));
  }
  d.tails = p_tail - times(scale, q_tail);
  d.tail_bound = p_tail;
  // P(Z > z) is constant, `above`, between consecutive losses a < b: int_a^b e^{eps - z} dz = e^{eps - a} - e^{eps -
  // b}.
  double above = 0;
  for (std::size_t i = 0; i < outcomes.size() && outcomes[i].loss() > epsilon; ++i) {
    above += outcomes[i].p;
    const double b = outcomes[i].loss();
    const double a = i + 1 < outcomes.size() ? std::max(epsilon, outcomes[i + 1].loss()) : epsilon;
    d.integral += above * (std::exp(epsilon - a) - std::exp(epsilon - b));
  }
  return d;
}

double trade_off(const FinitePair& pair, double alpha) {
  const StandardArithmetic arithmetic;
  require_valid(pair);
  require(alpha >= 0 && alpha <= 1, "trade-off", "alpha", alpha, "0 <= alpha <= 1");
  // Reject Q (decide for P) on outcomes by decreasing p/q until Q's mass alpha is spent, the last one in part.
  double left = alpha, beta = 1;
  for (const Outcome& o : by_ratio(pair)) {
    const double share = o.q <= left ? 1 : left / o.q;
    beta -= share * o.p;
    left -= share * o.q;
    if (share < 1) break;
  }
  return std::max(0.0, beta);
}

double moment_difference_bound(double epsilon, double delta, double mean_abs_y, double range) {
  const StandardArithmetic arithmetic;
  require(epsilon >= 0, "moment difference", "epsilon", epsilon, "epsilon >= 0");
  require(delta >= 0 && delta <= 1, "moment difference", "delta", delta, "0 <= delta <= 1");
  require(mean_abs_y >= 0 && mean_abs_y <= range, "moment difference", "E|Y|", mean_abs_y, "0 <= E|Y| <= range");
  return times(std::expm1(epsilon), mean_abs_y) + times(range, 2 * delta);
}

double concentrated_bound_of_ranges(double alpha, double forward, double backward) {
  const StandardArithmetic arithmetic;
  require(alpha >= 1, "concentrated bound", "alpha", alpha, "alpha >= 1");
  return alpha / 8 * (forward + backward) * (forward + backward);
}

double mixture_bound(double alpha, double s, double first, double second) {
  const StandardArithmetic arithmetic;
  require(alpha > 1, "mixture", "alpha", alpha, "alpha > 1");
  require(s >= 0 && s <= 1, "mixture", "s", s, "0 <= s <= 1");
  return log_sum(std::log1p(-s) + (alpha - 1) * first, std::log(s) + (alpha - 1) * second) / (alpha - 1);
}

double triangle_order(double alpha, double beta) {
  const StandardArithmetic arithmetic;
  require(alpha > 1, "triangle", "alpha", alpha, "alpha > 1");
  require(beta > alpha, "triangle", "beta", beta, "beta > alpha");
  return std::isinf(beta) ? alpha : alpha * ((beta - 1) / (beta - alpha));
}

double triangle_bound(double beta, double divergence_pq, double divergence_qr) {
  const StandardArithmetic arithmetic;
  require(beta > 1, "triangle", "beta", beta, "beta > 1");
  return (std::isinf(beta) ? 1 : beta / (beta - 1)) * divergence_pq + divergence_qr;
}

double group_rho(double rho_1, double rho_2) {
  const StandardArithmetic arithmetic;
  require(rho_1 >= 0 && rho_2 >= 0, "group privacy", "rho", std::min(rho_1, rho_2), ">= 0");
  return (std::sqrt(rho_1) + std::sqrt(rho_2)) * (std::sqrt(rho_1) + std::sqrt(rho_2));
}

Decomposition decompose(const FinitePair& pair, double epsilon, double delta) {
  const StandardArithmetic arithmetic;
  require_valid(pair);
  require(epsilon >= 0 && std::isfinite(epsilon), "decomposition", "epsilon", epsilon, "epsilon >= 0");
  require(delta >= 0 && delta <= 1, "decomposition", "delta", delta, "0 <= delta <= 1");
  const double forward = hockey_stick(pair.p, pair.q, epsilon), backward = hockey_stick(pair.q, pair.p, epsilon);
  const double worse = std::max(forward, backward);
  require(worse <= delta + 1e-13, "decomposition", "delta", delta, "at least both hockey-stick divergences at epsilon");

  // `leaky` is the side whose divergence is the larger, `other` the one that must give up as much.
  const bool forward_worse = forward >= backward;
  const auto& leaky = forward_worse ? pair.p : pair.q;
  const auto& other = forward_worse ? pair.q : pair.p;
  const std::size_t n = leaky.size();
  const double e = std::exp(epsilon);
  std::vector<double> leaky_core(n), other_core(n), most(n), least(n);
  for (std::size_t i = 0; i < n; ++i) {
    leaky_core[i] = std::min(leaky[i], times(e, other[i]));
    most[i] = std::min(other[i], times(e, leaky[i]));
    least[i] = std::min(other[i], leaky[i]);
  }
  // Cores of one mass 1 - worse: between `least` (mass 1 - TV, below) and `most` (mass 1 - the lesser divergence,
  // above) every mixture keeps both ratios within e^eps, and takes from `other` only where it is the larger.
  const double kept = sum(leaky_core), span = sum(most) - sum(least);
  const double share = span > 0 ? std::clamp((sum(most) - kept) / span, 0.0, 1.0) : 0;
  for (std::size_t i = 0; i < n; ++i) other_core[i] = (1 - share) * most[i] + share * least[i];

  Decomposition d{.epsilon = epsilon, .delta = delta, .a = {}, .b = {}, .p_leak = {}, .q_leak = {}};
  d.a.resize(n), d.b.resize(n), d.p_leak.resize(n), d.q_leak.resize(n);
  const auto& p_core = forward_worse ? leaky_core : other_core;
  const auto& q_core = forward_worse ? other_core : leaky_core;
  // Scale the cores to the mass 1 - delta asked; what that frees joins the leaks.
  const double scale = kept > 0 ? std::min(1.0, (1 - delta) / kept) : 0;
  for (std::size_t i = 0; i < n; ++i) {
    // With nothing kept (delta = 1) the responses never happen; any one law will do for them.
    const double p = kept > 0 ? p_core[i] / kept : pair.p[i], q = kept > 0 ? q_core[i] / kept : pair.p[i];
    d.a[i] = e > 1 ? p + (p - q) / (e - 1) : p;
    d.b[i] = e > 1 ? q + (q - p) / (e - 1) : q;
    d.p_leak[i] = delta > 0 ? (pair.p[i] - scale * p_core[i]) / delta : pair.p[i];
    d.q_leak[i] = delta > 0 ? (pair.q[i] - scale * q_core[i]) / delta : pair.q[i];
  }
  return d;
}

double decomposition_error(const Decomposition& d, const FinitePair& pair) {
  const StandardArithmetic arithmetic;
  const double lying = 1 / (1 + std::exp(d.epsilon)), truthful = 1 / (1 + std::exp(-d.epsilon));
  double worst = 0;
  for (std::size_t i = 0; i < pair.p.size(); ++i) {
    const double p = (1 - d.delta) * (truthful * d.a[i] + lying * d.b[i]) + d.delta * d.p_leak[i];
    const double q = (1 - d.delta) * (lying * d.a[i] + truthful * d.b[i]) + d.delta * d.q_leak[i];
    worst = std::max({worst, std::fabs(p - pair.p[i]), std::fabs(q - pair.q[i])});
    worst = std::max({worst, -d.a[i], -d.b[i], -d.delta * d.p_leak[i], -d.delta * d.q_leak[i]});
  }
  for (const auto* part : {&d.a, &d.b}) worst = std::max(worst, std::fabs(sum(*part) - 1));
  for (const auto* leak : {&d.p_leak, &d.q_leak}) worst = std::max(worst, d.delta * std::fabs(sum(*leak) - 1));
  return worst;
}

std::vector<double> posterior_test(const FinitePair& pair, double epsilon) {
  const StandardArithmetic arithmetic;
  require_valid(pair);
  require(epsilon >= 0, "posterior test", "epsilon", epsilon, "epsilon >= 0");
  std::vector<double> accept(pair.p.size());
  for (std::size_t i = 0; i < accept.size(); ++i)
    accept[i] = pair.p[i] == 0 ? 1 : std::min(1.0, times(std::exp(epsilon), pair.q[i]) / pair.p[i]);
  return accept;
}

}  // namespace pld::bounds
