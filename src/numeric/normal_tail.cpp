#include "numeric/normal_tail.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace pld {
namespace {

constexpr double inv_sqrt_2pi = 0.39894228040143267794;
constexpr double sqrt_half_pi = 1.25331413731550025121;
constexpr double sqrt_half = 0.70710678118654752440;

/// exp(y^2) erfc(y) for y >= 0: Cody's three rational approximations, each good to 18 digits on its interval.
double scaled_erfc(double y) {
  if (y <= 0.46875) {
    constexpr std::array a{3.16112374387056560e00, 1.13864154151050156e02, 3.77485237685302021e02,
                           3.20937758913846947e03, 1.85777706184603153e-1};
    constexpr std::array b{2.36012909523441209e01, 2.44024637934444173e02, 1.28261652607737228e03,
                           2.84423683343917062e03};
    const double yy = y * y;
    double numerator = a[4] * yy, denominator = yy;
    for (int i = 0; i < 3; ++i) {
      numerator = (numerator + a[i]) * yy;
      denominator = (denominator + b[i]) * yy;
    }
    return std::exp(yy) * (1 - y * (numerator + a[3]) / (denominator + b[3]));
  }
  if (y <= 4) {
    constexpr std::array c{5.64188496988670089e-1, 8.88314979438837594e0,  6.61191906371416295e01,
                           2.98635138197400131e02, 8.81952221241769090e02, 1.71204761263407058e03,
                           2.05107837782607147e03, 1.23033935479799725e03, 2.15311535474403846e-8};
    constexpr std::array d{1.57449261107098347e01, 1.17693950891312499e02, 5.37181101862009858e02,
                           1.62138957456669019e03, 3.29079923573345963e03, 4.36261909014324716e03,
                           3.43936767414372164e03, 1.23033935480374942e03};
    double numerator = c[8] * y, denominator = y;
    for (int i = 0; i < 7; ++i) {
      numerator = (numerator + c[i]) * y;
      denominator = (denominator + d[i]) * y;
    }
    return (numerator + c[7]) / (denominator + d[7]);
  }
  // 1/sqrt(pi) - r(1/y^2)/y^2 over y: exact in the limit, however large y is.
  constexpr std::array p{3.05326634961232344e-1, 3.60344899949804439e-1, 1.25781726111229246e-1,
                         1.60837851487422766e-2, 6.58749161529837803e-4, 1.63153871373020978e-2};
  constexpr std::array q{2.56852019228982242e00, 1.87295284992346047e00, 5.27905102951428412e-1, 6.05183413124413191e-2,
                         2.33520497626869185e-3};
  const double yy = 1 / (y * y);
  double numerator = p[5] * yy, denominator = yy;
  for (int i = 0; i < 4; ++i) {
    numerator = (numerator + p[i]) * yy;
    denominator = (denominator + q[i]) * yy;
  }
  return (std::numbers::inv_sqrtpi - yy * (numerator + p[4]) / (denominator + q[4])) / y;
}

double normal_density(double x) { return inv_sqrt_2pi * std::exp(-0.5 * x * x); }

/// P(a < N < b) for a < 0 < b: both parts are positive, nothing cancels.
double straddling_mass(double a, double b) { return 0.5 * (std::erf(-a * sqrt_half) + std::erf(b * sqrt_half)); }

/// log(phi(a + width) / phi(a)), a >= 0: the exponent is a product of sums of positive terms, right to 3 u relative.
double log_density_drop(double a, double width) { return -width * (a + 0.5 * width); }

/// The series of normal_series_terms: the interval's mass over width phi(middle).
double mean_density_ratio(double middle, double width, int terms) {
  double even = 1, odd = middle, sum = 1, scale = 1;  // He_{2n-2}, He_{2n-1}
  for (int n = 1; n <= terms; ++n) {
    even = middle * odd - (2 * n - 1) * even;
    odd = middle * even - 2 * n * odd;
    scale *= 0.25 * width * width / (2 * n * (2 * n + 1));
    sum += scale * even;
  }
  return sum;
}

}  // namespace

// Rounding x / sqrt 2 costs no more than it does in x: the logarithmic derivative of the ratio lies in [-1, 0].
double mills_ratio(double x) { return sqrt_half_pi * scaled_erfc(x * sqrt_half); }

double log_normal_tail(double x) {
  if (x < 0) return std::log1p(-mills_ratio(-x) * normal_density(x));
  return log_normal_density(x) + std::log(mills_ratio(x));
}

int normal_series_terms(double reach) {
  constexpr std::array limits{1.9e-4, 4.1e-3, 0.020, 0.053, 0.105, 0.17, 0.25, 0.335, 0.43, 0.53};
  int terms = 1;
  for (const double limit : limits) {
    if (reach <= limit) return terms;
    ++terms;
  }
  return 0;
}

// The tail drops by a factor r over the interval, -log r >= max(0.8, a) width: from 0.4 on the subtraction amplifies
// the few u of its two terms by 2 or less. Where the density drops by e^-40 or more, 4e-18, the second one is not worth
// its time.
double scaled_normal_interval(double a, double width) {
  const double log_drop = log_density_drop(a, width);
  return log_drop < -40 ? mills_ratio(a) : mills_ratio(a) - std::exp(log_drop) * mills_ratio(a + width);
}

double log_normal_interval(double a, double width) {
  const double b = a + width;
  if (a < 0 && b <= 0) return log_normal_interval(-b, width);
  if (width == HUGE_VAL) return log_normal_tail(a);
  const double middle = a + 0.5 * width;
  const int terms = normal_series_terms(0.5 * width * std::fmax(1, std::fabs(middle)));
  if (terms > 0) {
    // Far out, where powers of the middle may overflow, the ratio, which is of order one, is beyond the last digit.
    const double ratio = std::fabs(middle) < 1e10 ? mean_density_ratio(middle, width, terms) : 1;
    return log_normal_density(middle) + std::log(width * ratio);
  }
  if (a < 0) return std::log(straddling_mass(a, b));
  return log_normal_density(a) + std::log(scaled_normal_interval(a, width));
}

double truncated_normal_mean(double a, double width) {
  const double b = a + width;
  if (b <= 0) return -truncated_normal_mean(-b, width);
  if (a < 0) return (normal_density(a) - normal_density(b)) / straddling_mass(a, b);
  return -std::expm1(log_density_drop(a, width)) / scaled_normal_interval(a, width);
}

}  // namespace pld
