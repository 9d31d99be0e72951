#include "core/work.hpp"

#include <doctest/doctest.h>

#include "pld/core/errors.hpp"
#include "pld/core/time_limit.hpp"

namespace pld {

TEST_CASE("core.work.what_is_taken_adds_up_through_questions") {
  const double before = Work::taken();
  for (int question = 0; question < 2; ++question) {
    Work::begin();
    Work::take(1000);
    Work::note(500);
    Work::end();
  }
  CHECK(Work::taken() == before + 3000);
}

TEST_CASE("core.work.counts_who_asks_what_is_left") {
  const long before = Work::times_asked();
  Work::begin();
  Work::note(500);
  CHECK(Work::times_asked() == before);
  CHECK(Work::left() > 0);
  Work::take(1000);
  CHECK_THROWS_AS(Work::take(1e300), WorkSpent);
  Work::end();
  CHECK(Work::times_asked() == before + 3);
}

TEST_CASE("core.work.is_short_where_a_limit_leaves_less_than_all_points") {
  CHECK(!Work::is_short());
  {
    const TimeLimit far(1000);
    CHECK(!Work::is_short());
    const TimeLimit near(1);
    CHECK(Work::is_short());
  }
  CHECK(!Work::is_short());
}

}  // namespace pld
