// A limit of time: whose it is, what nests, what is refused.
#include "pld/core/time_limit.hpp"

#include <chrono>
#include <limits>
#include <thread>

#include "core/work.hpp"
#include "pld/core/errors.hpp"
#include "support/checks.hpp"

namespace pld {

TEST_CASE("core.time_limit.is_its_thread_s_and_ends_with_it") {
  CHECK_FALSE(TimeLimit::end());
  {
    const TimeLimit limit(1e-9);
    CHECK(TimeLimit::is_over());
    bool over_elsewhere = true;
    std::thread([&] { over_elsewhere = TimeLimit::is_over(); }).join();
    CHECK_FALSE(over_elsewhere);
    bool over_where_handed = false;
    std::thread([&, end = TimeLimit::end()] {
      const TimeLimit handed(end);
      over_where_handed = TimeLimit::is_over();
    }).join();
    CHECK(over_where_handed);
  }
  CHECK_FALSE(TimeLimit::end());
  CHECK_FALSE(TimeLimit::is_over());
}

TEST_CASE("core.time_limit.the_earlier_end_counts") {
  const TimeLimit outer(1000);
  const auto end = TimeLimit::end();
  {
    const TimeLimit later(2000);
    CHECK(TimeLimit::end() == end);
    const TimeLimit none(std::nullopt);
    CHECK(TimeLimit::end() == end);
    const TimeLimit sooner(1);
    CHECK(*TimeLimit::end() < *end);
  }
  CHECK(TimeLimit::end() == end);
  CHECK_FALSE(TimeLimit::is_over());
}

TEST_CASE("core.time_limit.takes_numbers_above_0") {
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()})
    CHECK_THROWS_AS(TimeLimit{bad}, DomainError);
  const TimeLimit for_ever(std::numeric_limits<double>::infinity());
  CHECK_FALSE(TimeLimit::end());
}

// Work is planned for the time there is, and once it is up next to none is left, in what was under way as in what
// comes.
TEST_CASE("core.work.a_limit_of_time_leaves_less") {
  const double whole = Work::left();
  {
    const TimeLimit half_a_second(0.5);
    Work::begin();
    CHECK(Work::left() < whole);
    CHECK(Work::left() > 0.1 * whole);
    Work::end();
  }
  Work::begin();
  {
    const TimeLimit none(1e-9);
    CHECK(Work::left() < 0.05 * whole);
    CHECK_THROWS_AS(Work::stop_if_late(), WorkSpent);
    CHECK_THROWS_AS(Work::take(0.1 * whole), WorkSpent);
    Work::note(whole);
    CHECK(Work::left() == 0);
  }
  Work::end();
  const TimeLimit none(1e-9);
  Work::begin();
  CHECK(Work::left() == 0);
  Work::end();
}

}  // namespace pld
