#include "pld/bounds/central_limit.hpp"

#include <cmath>

#include "bounds/normal_loss.hpp"
#include "bounds/outer_root.hpp"
#include "core/standard_arithmetic.hpp"
#include "numeric/roundings.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld::bounds {
namespace {

LossMoments summed_moments(const Steps& steps, Direction direction) {
  require_valid(steps);
  LossMoments total;
  for (const Step& step : steps) {
    const LossMoments each = loss_moments(step, direction);
    const auto k = static_cast<double>(step.count);
    total.mean += k * each.mean, total.variance += k * each.variance, total.third += k * each.third;
  }
  require(total.variance > 0 && total.third < infinity, "central limit", "variance of the loss", total.variance,
          "> 0, and moments that a double can hold");
  return total;
}

/// Shevtsova's constant for summands that need not be equal.
double berry_esseen_error(const LossMoments& total) {
  const StandardArithmetic arithmetic;
  return 0.56 * (total.third / total.variance) / std::sqrt(total.variance);
}

}  // namespace

double clt_mu(const Steps& steps, Direction direction) {
  const StandardArithmetic arithmetic;
  const LossMoments total = summed_moments(steps, direction);
  return 2 * total.mean / std::sqrt(total.variance);
}

double dp_sgd_limit_mu(const Steps& steps) {
  const StandardArithmetic arithmetic;
  require_valid(steps);
  double squares = 0;
  for (const Step& step : steps) {
    const auto* gaussian = std::get_if<Gaussian>(&step.mechanism);
    if (gaussian == nullptr) throw DomainError("dp-sgd limit", "mechanism", describe(step), "every one a gaussian");
    require_poisson("dp-sgd limit", step);
    const double mu = gaussian->sensitivity / gaussian->sigma;
    squares += static_cast<double>(step.count) * step.q * step.q * std::expm1(mu * mu);
  }
  require(std::isfinite(squares) && squares > 0, "dp-sgd limit", "mu^2", squares, "a finite number > 0");
  return std::sqrt(squares);
}

double berry_esseen_error(const Steps& steps, Direction direction) {
  const StandardArithmetic arithmetic;
  return berry_esseen_error(summed_moments(steps, direction));
}

double normal_loss_delta(double mean, double variance, double epsilon) {
  const StandardArithmetic arithmetic;
  const double deviation = std::sqrt(variance);
  return std::exp(log_normal_loss_delta((epsilon - mean) / deviation, deviation, (epsilon - mean) + variance / 2));
}

double clt_epsilon_upper(const Steps& steps, Direction direction, double delta) {
  const StandardArithmetic arithmetic;
  const LossMoments total = summed_moments(steps, direction);
  const double error = berry_esseen_error(total);
  require(delta > error, "Berry-Esseen", "delta", delta, "above the Berry-Esseen error of this composition");
  const double deviation = std::sqrt(total.variance), left = round_down(delta - error);
  const auto excess = [&](double epsilon) {
    // Adds what log_normal_loss_delta may be off by, and what roundings of the arguments move it by.
    const double x = std::fabs(epsilon - total.mean) / deviation;
    const double places = (std::fabs(epsilon) + total.mean) / deviation + deviation;
    const double doubt = 2e-13 + roundings(4, x) * (x + places);
    return normal_loss_delta(total.mean, total.variance, epsilon) * (1 + doubt) - left;
  };
  return root_from_above(excess, total.mean, deviation);
}

}  // namespace pld::bounds
