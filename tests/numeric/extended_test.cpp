// Compiled a second time where a long double is a double: there Extended is software.
#include "numeric/extended.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "numeric/log_sum.hpp"
#include "support/checks.hpp"

namespace pld {
namespace {

using Exact = boost::multiprecision::cpp_bin_float_100;

/// Units of 2^-64 that x is off.
double units(const Extended& x, const Exact& truth) {
  return static_cast<double>(ldexp(abs(Exact(x) / truth - 1), 64));
}

}  // namespace

TEST_CASE("numeric.extended.functions_keep_64_bits") {
  for (const double x : {1e-300, 1e-20, 1e-3, 0.1, 0.5, 1.5, 40.0, 700.0, 11000.0}) {
    CAPTURE(x);
    const Extended at = x;
    const Exact exact = x;
    CHECK(units(exp(-at), exp(-exact)) <= 4 + x);  // a rounding of its argument
    CHECK(units(expm1(-at), boost::multiprecision::expm1(-exact)) <= 8);
    CHECK(units(log1p(at), boost::multiprecision::log1p(exact)) <= 8);
    CHECK(units(log(at), log(exact)) <= 8);
    CHECK(units(sqrt(at), sqrt(exact)) <= 1);
    CHECK(units(hypot(at, Extended(3)), sqrt(exact * exact + 9)) <= 4);
    CHECK(units(pow(Extended(0.01), at / 8), pow(Exact(0.01), exact / 8)) <= 8 + x);
  }
}

TEST_CASE("numeric.extended.logarithms_of_sums_keep_64_bits") {
  for (const double apart : {1e-10, 0.3, 0.7, 3.0, 50.0}) {
    CAPTURE(apart);
    const Extended a = -2, b = a - Extended(apart);
    const Exact p = exp(Exact(-2)), q = p * exp(-Exact(apart));
    CHECK(units(log_sum(a, b), log(p + q)) <= 8);
    CHECK(units(log_one_minus_exp(-Extended(apart)), log(1 - exp(-Exact(apart)))) <= 8 + apart);
  }
}

TEST_CASE("numeric.extended.a_rounding_of_long_double_is_felt_where_it_is_one_of_double") {
  const volatile long double one = 1;
  const bool as_double = one + 0x1p-60L == 1;
  CHECK(felt_rounding(3) == (as_double ? 3 * unit_roundoff : 0));
}

}  // namespace pld
