#include "core/price.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <thread>

#include "core/work.hpp"
#include "numeric/later.hpp"

namespace pld {
namespace {

/// The points that a question takes which does this.
template <class Do>
double points_of_question(const Do& once) {
  Work::begin();
  const double before = Work::left();
  once();
  const double taken = before - Work::left();
  Work::end();
  return taken;
}

}  // namespace

TEST_CASE("core.price.each_question_pays_once_whoever_made_it") {
  int made = 0;
  const Later<int> later([&] {
    Work::take(1000);
    return ++made;
  });
  const auto ask_twice = [&] { CHECK(later.get() + later.get() == 2); };
  CHECK(points_of_question(ask_twice) == 1000);
  CHECK(points_of_question(ask_twice) == 1000);
  std::thread([&] { CHECK(points_of_question(ask_twice) == 1000); }).join();
}

TEST_CASE("core.price.what_it_was_made_of_is_paid_once_too") {
  const Kept kept{.kind = 77, .most = 4, .which = {3}, .points = 10};
  const auto parts = [&] {
    Work::note(100);
    take_once(kept);
    return 1;
  };
  const Later<int> part(parts), other([&] { return part.get() + 1; });
  const Later<int> whole([&] {
    Work::note(1000);
    return part.get() + other.get();
  });
  const auto ask_all = [&] {
    CHECK(whole.get() + part.get() + other.get() == 6);
    take_once(kept);
  };
  CHECK(points_of_question(ask_all) == 1110);
  CHECK(points_of_question(ask_all) == 1110);
  CHECK(points_of_question([&] { CHECK(other.get() == 2); }) == 110);
  CHECK(points_of_question([&] { CHECK(part.get() + whole.get() == 4); }) == 1110);
}

TEST_CASE("core.price.of_what_was_made_inside_another_is_its_own") {
  std::optional<Priced<int>> inner;
  const Priced<int> outer([&] {
    inner.emplace([] { return Work::note(100), 1; });
    Work::note(1000);
    return 2;
  });
  CHECK(points_of_question([&] { CHECK(inner->get() == 1); }) == 100);
  CHECK(points_of_question([&] { CHECK(outer.get() == 2); }) == 1100);
  CHECK(points_of_question([&] { CHECK(outer.get() + inner->get() == 3); }) == 1100);
}

TEST_CASE("core.price.what_is_made_for_nothing_has_parts_for_nothing") {
  const Later<int> part([] { return Work::note(100), 1; });
  const Later<int> whole([&] {
    return for_nothing([&] {
      Work::note(1000);
      return part.get() + 1;
    });
  });
  for (int i = 0; i < 2; ++i) CHECK(points_of_question([&] { CHECK(whole.get() == 2); }) == 0);
  CHECK(points_of_question([&] { CHECK(part.get() + whole.get() == 3); }) == 100);
}

}  // namespace pld
