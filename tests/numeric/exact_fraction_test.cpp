#include "numeric/exact_fraction.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include "pld/core/errors.hpp"
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
  for (const double none : {infinity, -infinity, std::nan("")}) CHECK_THROWS_AS((void)fraction_of(none), DomainError);
  CHECK(double_below(Fraction(0)) == 0);
  CHECK(double_above(Fraction(0)) == 0);
  const Fraction tiny = fraction_of(5e-324) / 3;
  CHECK(double_below(tiny) == 0);
  CHECK(double_above(tiny) == 5e-324);
  const Fraction huge = fraction_of(std::numeric_limits<double>::max()) * 2;
  CHECK(double_below(huge) == std::numeric_limits<double>::max());
  CHECK(double_above(huge) == infinity);
}

TEST_CASE("numeric.exact_fraction.the decimal of a double is what was written") {
  for (const char* text :
       {"0.1", "1e-5", "0.3", "123456.789", "1e300", "0", "7", "0.123456789012345", "5e-324", "1e23"}) {
    CAPTURE(text);
    const std::string number(text);
    const auto e = number.find('e'), point = number.find('.');
    std::string digits = number.substr(0, e);
    int exponent = e == std::string::npos ? 0 : std::stoi(number.substr(e + 1));
    if (point != std::string::npos) exponent -= static_cast<int>(digits.size() - point) - 1, digits.erase(point, 1);
    Fraction truth = *fraction_from_text(digits);
    for (; exponent > 0; --exponent) truth *= 10;
    for (; exponent < 0; ++exponent) truth /= 10;
    CHECK(decimal_of(std::strtod(text, nullptr)) == truth);
    CHECK(decimal_of(-std::strtod(text, nullptr)) == -truth);
    CHECK(decimal_above(truth) == std::strtod(text, nullptr));
    CHECK(decimal_below(truth) == std::strtod(text, nullptr));
  }
  CHECK(decimal_of(0.1 + 0.2) == fraction_of(0.1 + 0.2));  // 17 digits: nobody's
}

TEST_CASE("numeric.exact_fraction.decimals are in the order of their doubles") {
  std::mt19937_64 random(3);
  for (int i = 0; i < 5'000; ++i) {
    // A short number, or one of its neighbours.
    const double whole = std::floor(std::uniform_real_distribution(0.0, 1e6)(random));
    const double x = std::nextafter(whole / 1000, i % 3 == 0 ? 0 : i % 3 == 1 ? whole / 1000 : infinity);
    const double next = std::nextafter(x, infinity);
    REQUIRE(decimal_of(x) < decimal_of(next));
    REQUIRE(decimal_above(decimal_of(x)) == x);
    REQUIRE(decimal_below(decimal_of(x)) == x);
    const Fraction between = (decimal_of(x) + decimal_of(next)) / 2;
    REQUIRE(decimal_below(between) == x);
    REQUIRE(decimal_above(between) == next);
  }
  const Fraction huge = fraction_of(std::numeric_limits<double>::max()) * 2;
  CHECK(decimal_above(huge) == infinity);
  CHECK(decimal_below(huge) == std::numeric_limits<double>::max());
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
