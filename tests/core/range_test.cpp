#include "core/range.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "pld/core/errors.hpp"

namespace pld {
namespace {

TEST_CASE("core.range.holds its ends and nothing beyond") {
  const volatile double nan = std::numeric_limits<double>::quiet_NaN();
  const Range ends = from_to(1e-3, 300);
  CHECK(ends.holds(1e-3));
  CHECK(ends.holds(300));
  CHECK_FALSE(ends.holds(std::nextafter(1e-3, 0)));
  CHECK_FALSE(ends.holds(std::nextafter(300, 301)));
  for (const Range& range : {ends, above(0), at_least(0), whole_from_to(1, 5)}) {
    CHECK_FALSE(range.holds(nan));
    CHECK_FALSE(range.holds(infinity));
  }
  CHECK_FALSE(above(0).holds(0));
  CHECK(above(0).holds(std::numeric_limits<double>::denorm_min()));
  CHECK(at_least(0).holds(0));
  CHECK(whole_from_to(1, 5).holds(5));
  CHECK_FALSE(whole_from_to(1, 5).holds(2.5));
}

TEST_CASE("core.range.says what it holds") {
  CHECK(above(0).text() == "> 0 and finite");
  CHECK(at_least(0).text() == ">= 0 and finite");
  CHECK(from_to(1e-12, 1e6).text() == "from 1e-12 to 1e6");
  CHECK(from_to(1e-3, 700).text("scale") == "from 0.001 scale to 700 scale");
  CHECK(whole_from_to(1, 1e9).text() == "a whole number from 1 to 1e9");
  CHECK(Range{.lowest = 0, .highest = 1, .open = true}.text() == "> 0 and up to 1");
  CHECK_THROWS_WITH_AS(require_in(from_to(0, 1), "f", "p", 2, "a share"),
                       "f: p is 2, but must be from 0 to 1 (a share)", DomainError);
}

}  // namespace
}  // namespace pld
