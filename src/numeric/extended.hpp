#pragma once

#include <cfloat>
#include <cmath>
#include <limits>

#if LDBL_MANT_DIG < 64 || LDBL_MAX_EXP < 16384
#include <boost/multiprecision/cpp_bin_float.hpp>
#endif

namespace pld {

/// For laws of finitely many masses: roundings of 2^-64, numbers down to 1e-4900. Long double where it has both, else
/// (MSVC, Apple) software, some fifty times slower, whose exp is off by a rounding of its argument besides.
#if LDBL_MANT_DIG < 64 || LDBL_MAX_EXP < 16384
using Extended = boost::multiprecision::cpp_bin_float_double_extended;
#else
using Extended = long double;
#endif

static_assert(std::numeric_limits<long double>::is_iec559 && std::numeric_limits<long double>::radix == 2 &&
              std::numeric_limits<long double>::digits >= std::numeric_limits<double>::digits);
static_assert(std::numeric_limits<Extended>::digits >= 64 && std::numeric_limits<Extended>::min_exponent <= -16381);

/// Functions of either, and of double: those of software are found by its namespace.
using std::exp, std::expm1, std::fabs, std::hypot, std::isfinite, std::log, std::log1p, std::pow, std::sqrt;

/// What a rounding of long doubles of this size is where they are no wider than doubles, and bounds of doubles made of
/// them add. Those have room for a rounding at 64 bits: 0.
[[nodiscard]] constexpr double felt_rounding([[maybe_unused]] double size) {
  if constexpr (std::numeric_limits<long double>::digits >= 64)
    return 0;
  else
    return static_cast<double>(std::numeric_limits<long double>::epsilon()) / 2 * size;
}

}  // namespace pld
