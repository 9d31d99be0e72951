#include "pld/core/doubles_around.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

#include "support/checks.hpp"

namespace pld::test {

using Fraction = boost::multiprecision::cpp_rational;

TEST_CASE("core.doubles_around.hold_the_product") {
  for (const double x : {0.49, 0.7, 0.1, 1.0 / 3, 2.5, 1e-5, 7e300, 5e-324, 3e-310, 1e-291}) {
    for (const double y : {1.0, 2.0, 3.0, 11.0, 641.0, 1000.0, 0.3}) {
      const DoublesAround around = doubles_around_product(x, y);
      INFO(digits(x), " ", digits(y));
      const Fraction product = Fraction(x) * Fraction(y);
      if (std::isinf(around.above)) {
        CHECK(product > Fraction(around.below));
        continue;
      }
      CHECK(Fraction(around.below) <= product);
      CHECK(product <= Fraction(around.above));
      const double apart = around.above - around.below;
      CHECK(apart <= 4 * (std::nextafter(x * y, INFINITY) - x * y));
      if (x * y > 1e-290) CHECK((Fraction(x * y) == product) == (apart == 0));
    }
  }
  CHECK(doubles_around_product(0, 3).above == 0);
}

}  // namespace pld::test
