#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace pld {

/// Among all doubles from a to b the middle one: bisection by it ends within 64 steps, also next to 0 and between ends
/// that differ by orders of magnitude. Domain: any but NaN.
[[nodiscard]] inline double middle_double(double a, double b) {
  const auto place = [](double x) {
    const auto bits = std::bit_cast<std::int64_t>(x);
    return bits >= 0 ? bits : std::numeric_limits<std::int64_t>::min() - bits;
  };
  const std::int64_t low = place(a), high = place(b), middle = (low >> 1) + (high >> 1) + (low & high & 1);
  return std::bit_cast<double>(middle >= 0 ? middle : std::numeric_limits<std::int64_t>::min() - middle);
}

}  // namespace pld
