#include "quadrature.hpp"

#include <cmath>
#include <numbers>

namespace pld::validation {

LogDensity normal_log_density(double mean, double sigma) {
  return [=](double x) {
    const double z = (x - mean) / sigma;
    return -z * z / 2 - std::log(sigma) - std::log(2 * std::numbers::pi) / 2;
  };
}

double moment_by_quadrature(const LogDensity& p, const LogDensity& q, double alpha, double low, double high,
                            double step) {
  double sum = 0;
  for (double x = low; x <= high; x += step) {
    const double exponent = alpha * p(x) + (1 - alpha) * q(x);
    if (std::isfinite(exponent)) sum += std::exp(exponent);
  }
  return sum * step;
}

double renyi_by_quadrature(const LogDensity& p, const LogDensity& q, double alpha, double low, double high,
                           double step) {
  return std::log(moment_by_quadrature(p, q, alpha, low, high, step)) / (alpha - 1);
}

}  // namespace pld::validation
