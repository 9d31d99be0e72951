#include "numeric/log_range.hpp"

#include "pld/core/contradictions.hpp"
#include "support/checks.hpp"

namespace pld::contour {

// As of a law whose masses were rounded up, far more than once.
TEST_CASE("numeric.log_range.masses_of_more_than_1_contradict_nothing") {
  const auto before = contradictions();
  const LogRange found = rounded_outward({72.9, 72.95, 73});
  CHECK(found.lower == 0);
  CHECK(found.value == 0);
  CHECK(found.upper == 0);
  CHECK(contradictions() == before);
}

TEST_CASE("numeric.log_range.is_widened_by_some_units") {
  for (const double log : {-1e-300, -1e-5, -0.3, -40.0}) {
    const LogRange found = rounded_outward({log, log, log});
    CHECK(found.lower < log);
    CHECK(found.value == log);
    CHECK(found.upper > log);
    CHECK(found.width() < 80 * unit_roundoff * std::fabs(log) + 1e-300);
  }
}

}  // namespace pld::contour
