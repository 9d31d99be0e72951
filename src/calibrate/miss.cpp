#include "calibrate/miss.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "numeric/log_sum.hpp"
#include "numeric/normal_tail.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

constexpr double least_log_mu = -60, most_log_mu = 12;

/// A log delta stretched to be nearly linear in log mu: delta is about proportional to mu where it is large, to
/// e^{-epsilon^2 / (2 mu^2)} where it is small.
double stretched(double log_delta) { return log_delta > -1 ? 1 + log_delta : -std::log(-log_delta); }
double stretch(double log_delta) { return log_delta > -1 ? 1 : -1 / log_delta; }

/// d log delta / d log mu, by d delta / d mu = phi(epsilon / mu - mu / 2).
double log_slope(double mu, double epsilon, double log_delta) {
  const double x = epsilon / mu - mu / 2;
  return mu * std::exp(-x * x / 2 - log_delta) / std::sqrt(2 * std::numbers::pi);
}

/// log mu of the Gaussian pair that has this log delta at epsilon: Newton steps, halving where one leaves what is known
/// to hold it.
double log_mu_of(double epsilon, double log_delta) {
  if (log_delta == -infinity) return least_log_mu;
  const double wanted = stretched(log_delta);
  // Its first tail alone has the mu with epsilon / mu - mu / 2 = z; where that is not small, delta grows as mu / sqrt(2
  // pi).
  const double z = std::sqrt(-2 * std::min(log_delta, -0.1));
  const double first = epsilon > 0 && log_delta < -3 ? 2 * epsilon / (z + std::sqrt(z * z + 2 * epsilon))
                                                     : std::exp(log_delta) * 2.5 + std::max(epsilon, 0.0);
  double low = least_log_mu, high = most_log_mu, t = std::clamp(std::log(first), low, high);
  constexpr int most_steps = 40;
  for (int step = 0; step < most_steps; ++step) {
    const double mu = std::exp(t), here = gaussian_log_delta(mu, epsilon), excess = stretched(here) - wanted;
    (excess < 0 ? low : high) = t;
    double next = t - excess / (log_slope(mu, epsilon, here) * stretch(here));
    if (!(next > low && next < high)) next = (low + high) / 2;
    const double by = std::fabs(next - t);
    t = next;
    if (by < 1e-6) break;  // whose square is left
  }
  return t;
}

}  // namespace

double gaussian_log_delta(double mu, double epsilon) {
  const double x = epsilon / mu - mu / 2, log_p = log_normal_tail(x), log_q = epsilon + log_normal_tail(x + mu);
  // Where the two cancel to nothing, what is left is small beside either.
  return log_q < log_p ? log_p + log_one_minus_exp(log_q - log_p) : log_p + std::log(unit_roundoff);
}

double with_sign(double by, bool missed) {
  constexpr double least = 1e-15;
  return missed ? std::max(by, least) : std::min(by, -least);
}

double miss(double epsilon, double log_delta, double log_limit) {
  const bool missed = log_delta > log_limit;
  if (log_limit == -infinity) return missed ? 1 : -1;
  return with_sign(log_mu_of(epsilon, log_delta) - log_mu_of(epsilon, log_limit), missed);
}

double power_miss(double fpr, double power, double limit) {
  const auto log_mu = [&](double p) {
    if (p <= fpr) return least_log_mu;
    if (p >= 1) return most_log_mu;
    return std::log(normal_quantile(p) - normal_quantile(fpr));
  };
  return with_sign(log_mu(power) - log_mu(limit), power > limit);
}

}  // namespace pld
