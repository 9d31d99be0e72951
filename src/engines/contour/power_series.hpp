#pragma once

#include <cstddef>
#include <vector>

#include "engines/contour/mean_moments.hpp"

namespace pld::contour {

/// A power series, and one of bounds on its coefficients' moduli.
struct Series {
  explicit Series(std::size_t size) : re(size), im(size), sizes(size) {}

  std::vector<Sharp> re, im;
  std::vector<double> sizes;
};

/// The power of a series that begins with 1.
[[nodiscard]] Series raised(const Series& base, double power);

/// The rounding of its coefficient n, over its size.
[[nodiscard]] inline double rounding_of_power(std::size_t n) {
  return unit_sharp * static_cast<double>(2 * n * (n + 12));
}

}  // namespace pld::contour
