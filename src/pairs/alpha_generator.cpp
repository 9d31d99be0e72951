#include "pairs/alpha_generator.hpp"

#include <array>
#include <cmath>

#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// Sum over n >= 2 of (1 + alpha + ... + alpha^{n-2}) z^n / n! over z^2 / 2; |z| max(1, alpha) <= 0.1.
double series(double alpha, double z) {
  constexpr std::array share{1.0 / 3, 1.0 / 4, 1.0 / 5,  1.0 / 6,  1.0 / 7,
                             1.0 / 8, 1.0 / 9, 1.0 / 10, 1.0 / 11, 1.0 / 12};
  constexpr double negligible = unit_roundoff / 8;
  double sum = 1, geometric = 1, power = 1, term = 1;
  for (const double part : share) {
    power *= alpha;
    geometric += power;
    term *= z * part;
    const double next = geometric * term;
    sum += next;
    if (std::fabs(next) < negligible) break;
  }
  return sum;
}

}  // namespace

double log_alpha_generator(double alpha, double z) {
  if (z == 0) return -infinity;
  if (z == -infinity) return -std::log(alpha);
  constexpr double square_is_normal = 1e-150;
  if (std::fabs(z) * std::fmax(1, alpha) <= 0.1) {
    if (std::fabs(z) < square_is_normal) return 2 * std::log(std::fabs(z)) - std::log(2.0);
    return std::log(z * z / 2 * series(alpha, z));
  }
  // alpha psi = r e1 - (r - 1), e1 = (e^{(alpha-1) z} - 1) / (alpha - 1).
  const double t = alpha - 1, tz = t * z;
  if (z > 0) {
    constexpr double product_is_finite = 300;
    if (z < product_is_finite && tz < product_is_finite) {
      const double e1 = std::fabs(tz) < 1e-300 ? z : std::expm1(tz) / t, excess = std::expm1(z);
      return std::log((1 + excess) * e1 - excess) - std::log(alpha);
    }
    // r (e1 - (1 - e^-z)), on the log scale: e1 may overflow.
    const double log_e1 = std::fabs(tz) < 1e-300 ? std::log(z)
                          : tz > 30              ? tz - std::log(t) + std::log1p(-std::exp(-tz))
                                                 : std::log(std::expm1(tz) / t);
    return z + log_e1 + std::log1p(std::expm1(-z) / std::exp(log_e1)) - std::log(alpha);
  }
  // r e1 = (r^alpha - r) / (alpha - 1); both powers are below 1.
  double r_e1 = std::exp(z) * z;
  if (std::fabs(tz) > 1)
    r_e1 = (std::exp(alpha * z) - std::exp(z)) / t;
  else if (std::fabs(tz) > 1e-300)
    r_e1 = std::exp(z) * std::expm1(tz) / t;
  return std::log(r_e1 - std::expm1(z)) - std::log(alpha);
}

}  // namespace pld
