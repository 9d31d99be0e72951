#include "numeric/exact_fraction.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// Doubles of all sizes, subnormal ones too.
double any_double(std::mt19937_64& random) {
  return std::ldexp(std::uniform_real_distribution(1.0, 2.0)(random), static_cast<int>(random() % 2090) - 1070);
}

TEST_CASE("numeric.exact_fraction.a double is its own bounds, and between two doubles there is one on each side") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const double x = any_double(random);
    if (!(x < infinity)) continue;
    const Fraction exact = fraction_of(x);
    REQUIRE(double_below(exact) == x);
    REQUIRE(double_above(exact) == x);
    const double next = std::nextafter(x, infinity);
    if (!(next < infinity)) continue;
    const Fraction between = exact + (fraction_of(next) - exact) * fraction_of(0.25);
    REQUIRE(double_below(between) == x);
    REQUIRE(double_above(between) == next);
  }
  CHECK(double_below(Fraction(0)) == 0);
  CHECK(double_above(Fraction(0)) == 0);
  const Fraction tiny = fraction_of(5e-324) / 3;
  CHECK(double_below(tiny) == 0);
  CHECK(double_above(tiny) == 5e-324);
  const Fraction huge = fraction_of(std::numeric_limits<double>::max()) * 2;
  CHECK(double_below(huge) == std::numeric_limits<double>::max());
  CHECK(double_above(huge) == infinity);
}

TEST_CASE("numeric.exact_fraction.text is read back, and nothing but fractions is read") {
  for (const char* text : {"0", "7", "3/5000", "1/340282366920938463463374607431768211456"})
    CHECK(text_of(fraction_from_text(text).value()) == text);
  CHECK(fraction_from_text("010/20").value() == Fraction(1, 2));  // no octal
  for (const char* text : {"", "/", "1/", "/2", "1/0", "-1", "+1", "1.5", "1e3", "0x10", " 1", "1/2/3", "1 ", "a"})
    CHECK_MESSAGE(!fraction_from_text(text), text);
  CHECK(fraction_from_text(std::string(2000, '9')).has_value());
  CHECK(!fraction_from_text(std::string(2001, '9')));
}

TEST_CASE("numeric.exact_fraction.a long sum is rounded outward, by next to nothing") {
  std::mt19937_64 random(2);
  Fraction exact = 0, kept = 0, least = 0;
  for (int i = 0; i < 400; ++i) {
    const Fraction term = 1 / fraction_of(std::uniform_real_distribution(1.0, 1e6)(random));
    exact += term;
    kept = shortened_up(kept + term);
    least = shortened_down(least + term);
    REQUIRE(kept >= exact);
    REQUIRE(least <= exact);
    REQUIRE(text_of(kept).size() < 2000);
  }
  CHECK(kept > exact);
  CHECK(least < exact);
  CHECK(double_above((kept - exact) / exact) < 1e-50);
  CHECK(double_above((exact - least) / exact) < 1e-50);
  // A double of many bits stays what it is.
  const Fraction tiny = fraction_of(5e-324) * fraction_of(5e-324);
  CHECK(shortened_up(tiny) == tiny);
  CHECK(shortened_down(tiny) == tiny);
  // Equal terms stay exact.
  Fraction tenths = 0;
  const Fraction tenth = 1 / fraction_of(10);
  for (int i = 0; i < 10'000; ++i) tenths = shortened_up(tenths + tenth);
  CHECK(tenths == 1000);
}

}  // namespace
}  // namespace pld
