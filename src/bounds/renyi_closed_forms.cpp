#include "pld/bounds/renyi_closed_forms.hpp"

#include <cmath>

#include "core/standard_arithmetic.hpp"
#include "pld/core/errors.hpp"

namespace pld::bounds {
namespace {

void require_order(double alpha) {
  require(alpha > 1 && std::isfinite(alpha), "renyi", "alpha", alpha, "alpha > 1 and finite");
}
void require_sensitivity(double sensitivity) {
  require(sensitivity >= 0 && std::isfinite(sensitivity), "renyi", "sensitivity", sensitivity,
          "sensitivity >= 0 and finite");
}

}  // namespace

double renyi_gaussian(double alpha, double sigma, double sensitivity) {
  const StandardArithmetic arithmetic;
  require(alpha >= 1 && std::isfinite(alpha), "renyi", "alpha", alpha, "alpha >= 1 and finite");
  require(sigma > 0, "renyi", "sigma", sigma, "sigma > 0");
  require_sensitivity(sensitivity);
  return alpha * (sensitivity / sigma) * (sensitivity / sigma) / 2;
}

double renyi_laplace(double alpha, double scale, double sensitivity) {
  const StandardArithmetic arithmetic;
  require_order(alpha);
  require(scale > 0, "renyi", "scale", scale, "scale > 0");
  require_sensitivity(sensitivity);
  // E_Q[(dP/dQ)^a] = (e^{(a-1)s} + share e^{-a s}) / (1 + share), share = (a - 1)/a, s the largest loss. Minus 1, the
  // numerator is expm1((a-1)s) + share expm1(-a s), which cancels to second order in s: by its series there.
  const double s = sensitivity / scale;
  const double a = alpha, share = (a - 1) / a;
  // Far out the second term is e^{-60} of the first.
  if ((a - 1) * s > 30) return s - std::log1p(share) / (a - 1);
  if (a * s > 0.02) return std::log1p((std::expm1((a - 1) * s) + share * std::expm1(-a * s)) / (1 + share)) / (a - 1);
  double up = (a - 1) * s, down = -a * s, factorial = 1, sum = 0;
  double power_up = up, power_down = down;
  for (int n = 2; n <= 9; ++n) {
    power_up *= up, power_down *= down, factorial *= n;
    sum += (power_up + share * power_down) / factorial;
  }
  return std::log1p(sum / (1 + share)) / (a - 1);
}

}  // namespace pld::bounds
