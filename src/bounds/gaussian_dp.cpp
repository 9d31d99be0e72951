#include "pld/bounds/gaussian_dp.hpp"

#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "bounds/normal.hpp"
#include "bounds/normal_loss.hpp"
#include "bounds/outer_root.hpp"
#include "core/standard_arithmetic.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld::bounds {

namespace {

void require_sensitivity(const char* where, double sensitivity) {
  require(sensitivity > 0 && std::isfinite(sensitivity), where, "sensitivity", sensitivity,
          "sensitivity > 0 and finite");
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
  require(delta > 0 && delta < 1, "gdp", "delta", delta, "0 < delta < 1");
  const double log_delta = std::log(delta);
  const auto excess = [&](double epsilon) { return gdp_log_delta(mu, epsilon) - log_delta; };
  return root_from_above(excess, mu * mu / 2, mu);
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
    if (gaussian == nullptr || step.q < 1) {
      throw DomainError("gdp", "mechanism", describe(step), "every one an unsampled gaussian");
    }
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
  const double log_delta = std::log(delta);
  constexpr double least_mu = 1e-305;  // smaller ones, to which the search steps, lose digits and become 0
  require(gdp_log_delta(least_mu, epsilon) < log_delta, "analytic gaussian", "delta", delta,
          "one that a mu above 1e-305 has");
  // delta falls as log sigma grows.
  const auto excess = [&](double log_sigma) {
    return gdp_log_delta(std::max(least_mu, sensitivity * std::exp(-log_sigma)), epsilon) - log_delta;
  };
  return std::exp(root_from_above(excess, std::log(sensitivity), 0.5)) * (1 + 1e-13);
}

}  // namespace pld::bounds
