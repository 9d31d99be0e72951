#include "bounds/normal_loss.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <numbers>

#include "pld/core/rounding.hpp"

namespace pld::bounds {
namespace {

/// R(x) - R(x + s) for Mills' ratio R: the integral of e^{-x t - t^2/2} (1 - e^{-s t}) over t > 0. For a small s the
/// difference would cancel, the integral has one sign.
double mills_difference(double x, double s) {
  if (s > 0.5) return mills_ratio_anywhere(x) - mills_ratio_anywhere(x + s);
  const auto integrand = [&](double t) { return -std::expm1(-s * t) * std::exp(-x * t - t * t / 2); };
  // The integrand is below e^{-60} of its peak beyond `end`: -x t - t^2/2 < -60 - max(0, -x)^2 / 2.
  const double shift = std::fmax(0, -x);
  const double end = shift + 120 / (std::fmax(x, 0) + std::sqrt(std::fmax(x, 0) * std::fmax(x, 0) + 120));
  constexpr int panels = 12;
  double sum = 0;
  for (int i = 0; i < panels; ++i)
    sum += boost::math::quadrature::gauss<double, 30>::integrate(integrand, end * i / panels, end * (i + 1) / panels);
  return sum;
}

}  // namespace

// delta = Phi(-x) - e^exponent Phi(-x - s), and both terms carry phi(x): delta = phi(x) (R(x) - R(x + s)). Left of -25
// it is 1 - e^exponent + e^exponent Phi(x + s), what is left out being below 1e-100 of that; or for a positive exponent
// 1 to as many digits. Phi(x + s) with Phi(x), next to which it would have to be seen, is nothing while s is below 5.
double log_normal_loss_delta(double x, double s, double exponent) {
  if (x > 0 && x * x == infinity) return -infinity;
  if (x > -25) return std::min(0.0, -x * x / 2 - std::log(2 * std::numbers::pi) / 2 + std::log(mills_difference(x, s)));
  if (exponent >= 0) return 0;
  const double beyond = x + s > -20 ? std::exp(exponent) * normal_cdf(x + s) : 0;
  return std::min(0.0, std::log(beyond - std::expm1(exponent)));
}

}  // namespace pld::bounds
