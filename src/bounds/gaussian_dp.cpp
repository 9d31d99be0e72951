#include "pld/bounds/gaussian_dp.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numbers>

#include "bounds/normal_loss.hpp"
#include "bounds/outer_root.hpp"
#include "core/standard_arithmetic.hpp"
#include "numeric/log_sum.hpp"
#include "numeric/normal_tail.hpp"
#include "numeric/roundings.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld::bounds {
namespace {

void require_sensitivity(const char* where, double sensitivity) {
  require(sensitivity > 0 && std::isfinite(sensitivity), where, "sensitivity", sensitivity,
          "sensitivity > 0 and finite");
}

/// What is computed of log delta or log(1 - delta) may be off by that.
double doubt_of(double log_value, double mu, double epsilon) {
  const double places = std::fabs(epsilon) / mu + mu, x = epsilon / mu - mu / 2;
  return 2e-13 + 4 * unit_roundoff * (std::fabs(log_value) + places * (1 + std::fabs(x)));
}

/// The same of log delta <= log(1/2) where x <= -25: delta is 1 - e^epsilon there but for a part below 1e-100, or for
/// one that a rounding of x moves by a few units.
constexpr double doubt_far_left = 4e-13;

/// The same of log(1 - delta) where epsilon <= -mu^2 / 2. Phi(x) is at most 1 / |x| of the other term there, and both
/// tell their place only within a few of x + mu = 0: beyond it is e^epsilon alone.
double doubt_of_complement_far_left(double log_value, double mu, double epsilon) {
  constexpr double few = 9;
  const double places = std::min(std::fabs(epsilon) / mu, few) + mu;
  return 2e-13 + roundings(4, log_value, epsilon, 2 * places);
}

/// log(1 - delta) = log(Phi(x) + e^epsilon Phi(-x - mu)), x = epsilon / mu - mu / 2; both terms carry phi(x).
double gdp_log_complement(double mu, double epsilon) {
  const double x = epsilon / mu - mu / 2, y = epsilon / mu + mu / 2;
  constexpr double whole = 25;
  if (y <= 0) return std::min(0.0, log_sum(log_normal_tail(-x), epsilon + log_normal_tail(y)));
  if (x > whole) return 0;
  return std::min(
      0.0, -x * x / 2 - std::log(2 * std::numbers::pi) / 2 + std::log(mills_ratio_anywhere(-x) + mills_ratio(y)));
}

/// Falls with epsilon and 1 / mu, and where it is <= 0 delta(epsilon) is certainly at most `delta`: by logarithms,
/// above 1/2 by those of what is missing from 1, which keeps its digits.
double excess_over(double delta, double mu, double epsilon) {
  constexpr double near_one = 0.5;
  const double found = delta > near_one ? gdp_log_complement(mu, epsilon) : gdp_log_delta(mu, epsilon);
  const double wanted = delta > near_one ? std::log1p(-delta) : std::log(delta);
  const auto known_to = [&] {
    if (delta > near_one && epsilon <= -mu * mu / 2) return doubt_of_complement_far_left(found, mu, epsilon);
    if (delta <= near_one && epsilon < 0 && found < std::log(near_one) && epsilon / mu - mu / 2 <= -25)
      return doubt_far_left;
    return doubt_of(found, mu, epsilon);
  };
  const double doubt = known_to();
  if (std::isinf(found)) return delta > near_one ? infinity : -infinity;
  return (delta > near_one ? wanted - found : found - wanted) + doubt + 2 * unit_roundoff * std::fabs(wanted);
}

}  // namespace

double gdp_log_delta(double mu, double epsilon) {
  const StandardArithmetic arithmetic;
  require(mu > 0 && std::isfinite(mu), "gdp", "mu", mu, "a finite number > 0");
  require(std::isfinite(epsilon), "gdp", "epsilon", epsilon, "a finite number");
  return log_normal_loss_delta(epsilon / mu - mu / 2, mu, epsilon);
}

double gdp_delta(double mu, double epsilon) {
  const StandardArithmetic arithmetic;
  return std::exp(gdp_log_delta(mu, epsilon));
}

double gdp_epsilon(double mu, double delta) {
  const StandardArithmetic arithmetic;
  require(mu > 0 && std::isfinite(mu), "gdp", "mu", mu, "a finite number > 0");
  require(delta > 0 && delta < 1, "gdp", "delta", delta, "0 < delta < 1");
  return root_from_above([&](double epsilon) { return excess_over(delta, mu, epsilon); }, mu * mu / 2, mu);
}

double gdp_trade_off(double mu, double alpha) {
  const StandardArithmetic arithmetic;
  require(mu >= 0, "gdp", "mu", mu, "mu >= 0");
  require(alpha >= 0 && alpha <= 1, "gdp", "alpha", alpha, "0 <= alpha <= 1");
  if (alpha == 0) return 1;
  if (alpha == 1) return 0;
  const boost::math::normal standard;
  return normal_cdf(boost::math::quantile(boost::math::complement(standard, alpha)) - mu);
}

double gdp_mu(const Steps& steps) {
  const StandardArithmetic arithmetic;
  require_valid(steps);
  double squares = 0;
  for (const Step& step : steps) {
    const auto* gaussian = std::get_if<Gaussian>(&step.mechanism);
    if (gaussian == nullptr || step.q < 1)
      throw DomainError("gdp", "mechanism", describe(step), "every one an unsampled gaussian");
    const double mu = gaussian->sensitivity / gaussian->sigma;
    squares += static_cast<double>(step.count) * mu * mu;
  }
  return std::sqrt(squares);
}

double classical_gaussian_sigma(double epsilon, double delta, double sensitivity) {
  const StandardArithmetic arithmetic;
  require(epsilon > 0 && epsilon < 1, "classical gaussian", "epsilon", epsilon, "0 < epsilon < 1");
  require(delta > 0 && delta < 1, "classical gaussian", "delta", delta, "0 < delta < 1");
  require_sensitivity("classical gaussian", sensitivity);
  return sensitivity * std::sqrt(2 * (std::log(1.25) - std::log(delta))) / epsilon;
}

double classical_gaussian_epsilon(double sigma, double delta, double sensitivity) {
  const StandardArithmetic arithmetic;
  require(sigma > 0, "classical gaussian", "sigma", sigma, "sigma > 0");
  require(delta > 0 && delta < 1, "classical gaussian", "delta", delta, "0 < delta < 1");
  require_sensitivity("classical gaussian", sensitivity);
  const double epsilon = sensitivity * std::sqrt(2 * (std::log(1.25) - std::log(delta))) / sigma;
  require(epsilon < 1, "classical gaussian", "epsilon", epsilon, "0 < epsilon < 1");
  return epsilon;
}

double classical_gaussian_epsilon_as_printed(double sigma, double delta, double sensitivity) {
  const StandardArithmetic arithmetic;
  require(sigma > 0, "classical gaussian", "sigma", sigma, "sigma > 0");
  require(delta > 0 && delta < 1, "classical gaussian", "delta", delta, "0 < delta < 1");
  require_sensitivity("classical gaussian", sensitivity);
  return 2 * (std::log(1.25) - std::log(delta)) * (sensitivity / sigma) * (sensitivity / sigma);
}

double analytic_gaussian_sigma(double epsilon, double delta, double sensitivity) {
  const StandardArithmetic arithmetic;
  require(epsilon >= 0 && std::isfinite(epsilon), "analytic gaussian", "epsilon", epsilon, "epsilon >= 0");
  require(delta > 0 && delta < 1, "analytic gaussian", "delta", delta, "0 < delta < 1");
  require_sensitivity("analytic gaussian", sensitivity);
  constexpr double least_mu = 1e-305;  // smaller ones, to which the search steps, lose digits and become 0
  require(delta > least_mu || excess_over(delta, least_mu, epsilon) < 0, "analytic gaussian", "delta", delta,
          "one that a mu above 1e-305 has");
  // delta falls as log sigma grows.
  const auto excess = [&](double log_sigma) {
    return excess_over(delta, std::max(least_mu, sensitivity * std::exp(-log_sigma)), epsilon);
  };
  return std::exp(root_from_above(excess, std::log(sensitivity), 0.5)) * (1 + 1e-13);
}

}  // namespace pld::bounds
