#include "core/intersection.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "pld/core/contradictions.hpp"
#include "pld/core/rounding.hpp"
#include "support/contradictions.hpp"

namespace pld::test {
namespace {

void check_either_way(const Bracket& a, const Bracket& b, const Bracket& want) {
  for (const Bracket& got : {intersection(a, b), intersection(b, a)}) {
    CHECK(got.lower == want.lower);
    CHECK(got.estimate == want.estimate);
    CHECK(got.upper == want.upper);
  }
}

TEST_CASE("core.intersection.is_told_by_the_narrower") {
  check_either_way({1, 2, 5}, {0, 3, 9}, {1, 2, 5});
  check_either_way({1, 2, 5}, {3, 4, 9}, {3, 3, 5});
  check_either_way({1, 2, infinity}, {0, 3, 7}, {1, 3, 7});
  check_either_way({2, 2, 2}, {0, 1, 4}, {2, 2, 2});
}

TEST_CASE("core.intersection.with_a_bound_at_one_end") {
  check_either_way({1, 2, 5}, at_least(3), {3, 3, 5});
  check_either_way({1, 2, 5}, at_most(1), {1, 1, 1});
  check_either_way({1, 2, infinity}, {-infinity, 2, 4}, {1, 2, 4});
}

TEST_CASE("core.intersection.of_bounds_from_one_side_excludes_nothing") {
  const std::int64_t before = contradictions();
  const auto check = [](const Bracket& got, const Bracket& want) {
    CHECK(got.lower == want.lower);
    CHECK(got.estimate == want.estimate);
    CHECK(got.upper == want.upper);
  };
  check(sharpened({1, 1.5, 2}, {4, 5, 7}, Side::lower), {4, 4, 4});
  check(sharpened({1, 1.5, 2}, {4, 5, 7}, Side::upper), {1, 1.5, 2});
  check(sharpened({1, 6, 9}, {4, 5, 7}, Side::upper), {1, 6, 7});
  check(sharpened({1, 6, 9}, {4, 5, 7}, std::nullopt), {4, 5, 7});
  CHECK(contradictions() == before);
}

TEST_CASE("core.intersection.of_brackets_that_contradict_each_other_is_their_hull_and_is_counted") {
  const std::int64_t before = contradictions();
  check_either_way({1, 1.5, 2}, {4, 5, 7}, {1, 1.5, 7});
  check_either_way({1, 1.5, 2}, at_least(3), {1, 1.5, infinity});
  check_either_way({1, 1, 1}, {5, 6, 8}, {1, 1, 8});
  const Bracket both = intersection(at_least(3), at_most(2));
  CHECK(both.lower == -infinity);
  CHECK(both.upper == infinity);
  CHECK(contradictions() == before + 7);
  provoked_contradictions += contradictions() - before;
}

TEST_CASE("core.intersection.of_what_is_no_number_has_ends_and_an_estimate") {
  const std::int64_t before = contradictions();
  const double none = std::nan("");
  check_either_way({0, none, 5000}, {0, none, infinity}, {0, 5000, 5000});
  check_either_way({3, none, infinity}, at_least(2), {3, 3, infinity});
  CHECK(contradictions() == before);
  for (const Bracket& odd :
       {Bracket{-infinity, none, none}, Bracket{none, none, infinity}, Bracket{none, none, none}}) {
    const Bracket got = intersection(intersection(odd, at_least(0)), at_most(5000));
    CHECK(got.lower <= got.estimate);
    CHECK(got.estimate <= got.upper);
    CHECK(got.upper == 5000);
  }
  provoked_contradictions += contradictions() - before;
}

}  // namespace
}  // namespace pld::test
