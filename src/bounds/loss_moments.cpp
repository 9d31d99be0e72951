#include "pld/bounds/loss_moments.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "bounds/log_scale.hpp"
#include "bounds/ratio_nodes.hpp"
#include "core/standard_arithmetic.hpp"
#include "core/work.hpp"
#include "pairs/renyi_curve.hpp"
#include "pld/bounds/renyi_closed_forms.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld::bounds {
namespace {

/// Powers whose distance from 1 is told exactly, and from it what a power changes.
bool is_next_to_one(double t) { return 0.5 <= t && t <= 2; }

/// e^w (e^{t l} - 1 - t (e^l - 1)) where e^l may be beyond the doubles, but not e^{w + l}.
double weighted_excess_power(double w, double t, double l) {
  const double b = t - 1;
  if (is_next_to_one(t) && std::fabs(b * l) < 1)
    return std::exp(w + l) * std::expm1(b * l) - b * (std::exp(w + l) - std::exp(w));
  return std::exp(w + t * l) - std::exp(w) - t * (std::exp(w + l) - std::exp(w));
}

/// e^{t l} - 1 - t (e^l - 1), which is >= 0 for t outside (0, 1). For small l both expm1 cancel to second order.
double excess_power(double t, double l) {
  if (std::fabs(t * l) > 0.02 || std::fabs(l) > 0.02) {
    // Next to t = 1 all of it is near 0 as t - 1 is.
    const double b = t - 1;
    return is_next_to_one(t) ? std::exp(l) * std::expm1(b * l) - b * std::expm1(l)
                             : std::expm1(t * l) - t * std::expm1(l);
  }
  double sum = 0, more = 0, power_l = l, factorial = 1;  // t^n - t, each from the one before
  for (int n = 2; n <= 9; ++n) {
    more = t * more + t * (t - 1), power_l *= l, factorial *= n;
    sum += more * power_l / factorial;
  }
  return sum;
}

/// log E_Q[r^t] for r of E_Q[r] = 1, t outside (0, 1). As 1 + E_Q[r^t - 1 - t (r - 1)], whose terms have one sign,
/// while that is of moderate size; on the log scale otherwise.
double log_power_mean(const RatioNodes& nodes, double q, double t) {
  double peak = -infinity;
  for (const RatioNode& node : nodes) peak = std::max(peak, node.log_weight + t * sampled_log_ratio(q, node.log_ratio));
  constexpr double moderate = 2;
  if (peak < moderate) {
    double excess = 0;
    for (const RatioNode& node : nodes) {
      const double l = sampled_log_ratio(q, node.log_ratio);
      // Far right e^l overflows what the weight would pull back: form the products in the exponent there.
      const bool plain = std::fabs(l) < 30 && std::fabs(t * l) < 30;
      const double w = node.log_weight;
      excess += plain ? std::exp(w) * excess_power(t, l) : weighted_excess_power(w, t, l);
    }
    return std::log1p(excess);
  }
  LogSum sum;
  for (const RatioNode& node : nodes) sum.add(node.log_weight + t * sampled_log_ratio(q, node.log_ratio));
  return sum.value();
}

/// The divergence of a type whose moments are not computed here: a guarantee states it, bounded range has a closed form
/// (Dong, Durfee, Rogers 2020: the largest of two-point pairs), others have that of their pair, from above.
std::optional<double> known_divergence(const Step& step, double alpha, Direction direction) {
  const auto unsampled = [&](double divergence) {
    require(!step.sampled(), "renyi", "q", step.q, "q = 1 for this type: no divergences of its samples are known");
    return divergence;
  };
  if (const auto* zcdp = std::get_if<ConcentratedDp>(&step.mechanism)) return unsampled(zcdp->xi + zcdp->rho * alpha);
  if (const auto* tcdp = std::get_if<TruncatedConcentratedDp>(&step.mechanism))
    return unsampled(alpha < tcdp->omega ? tcdp->rho * alpha : infinity);
  if (const auto* exponential = std::get_if<ExponentialMechanism>(&step.mechanism))
    return unsampled(dominating_pair(*exponential, direction)->renyi_curve()->at(alpha));
  if (const auto* other = std::get_if<OtherMechanism>(&step.mechanism))
    return unsampled(other->divergence(alpha, direction));
  return std::nullopt;
}

}  // namespace

double log_moment(const Step& step, double alpha, Direction direction) {
  const StandardArithmetic arithmetic;
  require(alpha > 1 && std::isfinite(alpha), "renyi", "alpha", alpha, "a finite number > 1");
  if (step.q == 0) return 0;
  require_poisson("renyi", step);
  if (const auto known = known_divergence(step, alpha, direction)) return (alpha - 1) * *known;
  const auto* gaussian = std::get_if<Gaussian>(&step.mechanism);
  if (step.q == 1 && gaussian != nullptr)
    return (alpha - 1) * renyi_gaussian(alpha, gaussian->sigma, gaussian->sensitivity);
  const auto* laplace = std::get_if<Laplace>(&step.mechanism);
  if (step.q == 1 && laplace != nullptr)
    return (alpha - 1) * renyi_laplace(alpha, laplace->scale, laplace->sensitivity);
  // remove: E_Q[r^alpha], r = 1 - q + q dP/dQ. add: the pair is (Q, rQ), so E_{rQ}[r^{-alpha}] = E_Q[r^{1 - alpha}].
  // Unsampled the pairs are symmetric and both are the same number.
  const double t = direction == Direction::remove || step.q == 1 ? alpha : 1 - alpha;
  const RatioNodes nodes = power_nodes(step.mechanism, t, step.q);
  constexpr double points_a_node = 15;
  Work::take(points_a_node * static_cast<double>(nodes.size()));
  return nodes.empty() ? infinity : std::max(0.0, log_power_mean(nodes, step.q, t));
}

LossMoments loss_moments(const Step& step, Direction direction) {
  const StandardArithmetic arithmetic;
  if (step.q == 0) return {};
  require_poisson("central limit", step);
  const auto* gaussian = std::get_if<Gaussian>(&step.mechanism);
  if (step.q == 1 && gaussian != nullptr) {  // N(mu^2/2, mu^2)
    const double mu = gaussian->sensitivity / gaussian->sigma;
    return {mu * mu / 2, mu * mu, round_up(std::sqrt(8 / std::numbers::pi) * mu * mu * mu, 8)};
  }
  const RatioNodes nodes = ratio_nodes(step.mechanism, 2, step.q);  // covers the weights 1 and e^l with powers of l
  if (nodes.empty())
    throw DomainError("central limit", "mechanism", describe(step),
                      "one whose moments take at most 1e6 nodes of a quadrature");
  const double sign = direction == Direction::remove ? 1 : -1;
  const auto expectation = [&](const auto& g) {
    double sum = 0;
    for (const RatioNode& node : nodes) {
      const double l = sampled_log_ratio(step.q, node.log_ratio);
      sum += std::exp(node.log_weight + (direction == Direction::remove ? l : 0)) * g(sign * l);
    }
    return sum;
  };
  LossMoments moments;
  // E_P[z] = E_P[z + (e^{-z} - 1)] has terms of one sign: E_P[e^{-z}] = 1 for finite losses.
  moments.mean = expectation([](double z) {
    return std::fabs(z) < 1e-3 ? z * z * (0.5 - z * (1.0 / 6 - z * (1.0 / 24 - z / 120))) : z + std::expm1(-z);
  });
  moments.variance = expectation([&](double z) { return (z - moments.mean) * (z - moments.mean); });
  // The kink of |.|^3 costs the quadrature its spectral accuracy: rounded up by a thousandth instead.
  moments.third = 1.001 * expectation([&](double z) { return std::pow(std::fabs(z - moments.mean), 3); });
  return moments;
}

}  // namespace pld::bounds
