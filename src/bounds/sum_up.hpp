#pragma once

#include <cmath>

#include "pld/core/rounding.hpp"

namespace pld::bounds {

/// a + b and a b rounded up, and not where a double has them. Domain: 0 <= a, b <= 1e100.
inline double sum_up(double a, double b) {
  const double sum = a + b, of_b = sum - a;
  const double missing = (a - (sum - of_b)) + (b - of_b);  // exactly (Knuth's two-sum)
  return missing > 0 ? std::nextafter(sum, infinity) : sum;
}

inline double product_up(double a, double b) {
  constexpr double up = 0x1p600;  // where what rounding leaves of a small product is a double too
  const double product = a * b;
  return std::fma(a, b * up, -product * up) > 0 ? std::nextafter(product, infinity) : product;
}

/// An epsilon that a formula is off by `units` roundings, rounded up. That of what loses nothing is computed with zeros
/// alone, and stays 0.
[[nodiscard]] inline double rounded_epsilon(double epsilon, double units) {
  return epsilon == 0 ? 0 : round_up(epsilon, units);
}

}  // namespace pld::bounds
