#include "pld/bounds/alpha_divergence.hpp"

#include <cmath>

#include "core/standard_arithmetic.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld::bounds {
namespace {

void require_delta(double delta) { require(delta > 0 && delta < 1, "adp", "delta", delta, "0 < delta < 1"); }
void require_order(double alpha) {
  require(alpha > 1 && std::isfinite(alpha), "adp", "alpha", alpha, "alpha > 1 and finite");
}
void require_sensitivity(double sensitivity) {
  require(sensitivity >= 0 && std::isfinite(sensitivity), "adp", "sensitivity", sensitivity,
          "sensitivity >= 0 and finite");
}

/// log(alpha (alpha - 1)).
double log_weight(double alpha) { return std::log(alpha) + std::log(alpha - 1); }

}  // namespace

AlphaDp::AlphaDp(double alpha, double log_moment) : alpha_(alpha), log_moment_(log_moment) {
  require_order(alpha);
  require(log_moment >= 0, "adp", "log moment", log_moment, ">= 0");
}

AlphaDp AlphaDp::from_epsilon(double alpha, double epsilon) {
  const StandardArithmetic arithmetic;
  require_order(alpha);
  require(epsilon >= 0, "adp", "epsilon", epsilon, "epsilon >= 0");
  const double excess = alpha * (alpha - 1) * epsilon;
  return {alpha, excess < 1e300 ? std::log1p(excess) : log_weight(alpha) + std::log(epsilon)};
}

double AlphaDp::epsilon() const {
  const StandardArithmetic arithmetic;
  return log_moment_ < 30 ? std::expm1(log_moment_) / (alpha_ - 1) / alpha_
                          : std::exp(log_moment_ - log_weight(alpha_));
}

AlphaDp adp_randomized_response(double alpha, double p) {
  const StandardArithmetic arithmetic;
  return {alpha, (alpha - 1) * renyi_randomized_response(alpha, p)};
}

AlphaDp adp_laplace(double alpha, double scale, double sensitivity) {
  const StandardArithmetic arithmetic;
  return {alpha, (alpha - 1) * renyi_laplace(alpha, scale, sensitivity)};
}

AlphaDp adp_gaussian(double alpha, double sigma, double sensitivity) {
  const StandardArithmetic arithmetic;
  return {alpha, (alpha - 1) * renyi_gaussian(alpha, sigma, sensitivity)};
}

AlphaDp adp_gaussian(double alpha, double sigma, std::span<const double> shift) {
  const StandardArithmetic arithmetic;
  double squares = 0;
  for (const double x : shift) squares += x * x;
  return adp_gaussian(alpha, sigma, std::sqrt(squares));
}

AlphaDp adp_laplace_vector(double alpha, double scale, std::span<const double> shift) {
  const StandardArithmetic arithmetic;
  double log_moment = 0;
  for (const double x : shift)
    if (x != 0) log_moment += (alpha - 1) * renyi_laplace(alpha, scale, std::fabs(x));
  return {alpha, log_moment};
}

double adp_gaussian_variance(double alpha, double epsilon, double sensitivity) {
  const StandardArithmetic arithmetic;
  require(epsilon > 0, "adp", "epsilon", epsilon, "epsilon > 0");
  const double log_moment = AlphaDp::from_epsilon(alpha, epsilon).log_moment();
  require_sensitivity(sensitivity);
  require(log_moment > 0, "adp", "epsilon", epsilon, "alpha (alpha - 1) epsilon > 0 in a double");
  return (alpha * sensitivity) * ((alpha - 1) * sensitivity) / (2 * log_moment);
}

AlphaDp compose(const AlphaDp& first, const AlphaDp& second) {
  const StandardArithmetic arithmetic;
  require(first.alpha() == second.alpha(), "adp", "second alpha", second.alpha(), "that of the first");
  return {first.alpha(), first.log_moment() + second.log_moment()};
}

AlphaDp compose(const AlphaDp& each, double k) {
  const StandardArithmetic arithmetic;
  require(k >= 0, "adp", "k", k, "k >= 0");
  return {each.alpha(), k * each.log_moment()};
}

AlphaDp adp_group(const AlphaDp& each, int k) {
  const StandardArithmetic arithmetic;
  const double size = std::ldexp(1.0, k);
  require(k >= 0, "adp group privacy", "k", k, "k >= 0");
  require(each.alpha() > size, "adp group privacy", "alpha", each.alpha(), "alpha > 2^k");
  return {each.alpha() / size, each.log_moment()};  // epsilon grows by alpha (alpha - 1) over the same at alpha / 2^k
}

double epsilon_from_adp_as_proved(const AlphaDp& guarantee, double delta) {
  const StandardArithmetic arithmetic;
  require_delta(delta);
  return (guarantee.log_moment() - std::log(delta)) / (guarantee.alpha() - 1);
}

double epsilon_from_adp_as_printed(const AlphaDp& guarantee, double delta) {
  const StandardArithmetic arithmetic;
  require_delta(delta);
  const double alpha = guarantee.alpha();
  return (log_sum(guarantee.epsilon() + log_weight(alpha), 0.0) - std::log(delta)) / (alpha - 1);
}

double epsilon_from_adp_algorithm_line(const AlphaDp& guarantee, double delta) {
  const StandardArithmetic arithmetic;
  require_delta(delta);
  return guarantee.log_moment() / delta / (guarantee.alpha() - 1);
}

BestOrder adp_algorithm_1(double sigma, double sensitivity, double k, double delta, int last_order,
                          double (*conversion)(const AlphaDp&, double)) {
  const StandardArithmetic arithmetic;
  return best_whole_order(
      [&](double alpha) { return conversion(compose(adp_gaussian(alpha, sigma, sensitivity), k), delta); }, last_order);
}

double adp_sigma_for_order(double alpha, double epsilon_bound, double sensitivity, double k, double delta) {
  const StandardArithmetic arithmetic;
  require_order(alpha);
  require_delta(delta);
  require_sensitivity(sensitivity);
  require(epsilon_bound > 0 && std::isfinite(epsilon_bound), "adp", "bound on epsilon", epsilon_bound,
          "> 0 and finite");
  require(k >= 0 && std::isfinite(k), "adp", "k", k, "k >= 0 and finite");
  // k alpha sensitivity^2 / (2 sigma^2) + log(1/delta)/(alpha - 1) = epsilon_bound.
  const double left = epsilon_bound + std::log(delta) / (alpha - 1);
  if (!(left > 0)) return infinity;
  return sensitivity > 0 ? sensitivity * std::sqrt(k * alpha / (2 * left)) : 0;
}

BestOrder adp_algorithm_2(double epsilon_bound, double sensitivity, double k, double delta, int last_order) {
  const StandardArithmetic arithmetic;
  return best_whole_order(
      [&](double alpha) { return adp_sigma_for_order(alpha, epsilon_bound, sensitivity, k, delta); }, last_order);
}

}  // namespace pld::bounds
