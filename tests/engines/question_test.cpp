// The work that one call of a user may take: who shares it, and what calls come to where it is short.
#include "engines/question.hpp"

#include <string>

#include "core/work.hpp"
#include "pld/calibrate/calibrate.hpp"
#include "pld/formats/open_entry.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/composition_of.hpp"

namespace pld {
namespace {

/// A law of atoms that lie on no lattice, and too many to list.
const char* const dear = "gaussian:sigma=2,allocation=300,count=30";

}  // namespace

TEST_CASE("engines.question.the_outermost_one_counts") {
  const double whole = Work::left();
  {
    const Question outer;
    CHECK(Work::left() == whole);
    Work::take(1000);
    {
      const Question inner;
      CHECK(Work::left() == whole - 1000);
      Work::take(500);
    }
    CHECK(Work::left() == whole - 1500);
    CHECK_THROWS_AS(Work::take(whole), WorkSpent);
    CHECK(Work::left() == whole - 1500);
  }
  const Question next;
  CHECK(Work::left() == whole);
}

TEST_CASE("engines.question.parts_and_allowances_give_back_what_they_leave") {
  const Question question;
  const double whole = Work::left();
  {
    const PartOfQuestion part(100);
    CHECK(Work::left() == 100);
    Work::take(30);
    Allowance allowance(1e9);
    CHECK(allowance.points() == 63);
  }
  CHECK(Work::left() == whole - 30);
  {
    Allowance allowance(1000);
    CHECK(allowance.points() == 1000);
    allowance.points() -= 400;
  }
  CHECK(Work::left() == whole - 430);
}

// What is done in any case may be more than a part had.
TEST_CASE("engines.question.what_a_part_takes_too_much_is_missing_after") {
  const Question question;
  const double whole = Work::left();
  {
    const PartOfQuestion part(100);
    Work::note(1000);
    CHECK(Work::left() == 0);
    CHECK_THROWS_AS(Work::take(1), WorkSpent);
  }
  CHECK(Work::left() == whole - 1000);
}

// What one question asks takes from what the next in it has, and a wider answer is certified all the same.
TEST_CASE("engines.question.questions_within_one_share_its_work") {
  const Composition run = test::composition_of({dear});
  const DeltaAnswer alone = delta(run, {.epsilon = 0.5, .tolerance = 1e-6});
  const Question all;
  const double whole = Work::left();
  const DeltaAnswer first = delta(run, {.epsilon = 0.5, .tolerance = 1e-6});
  CHECK(first.log_delta.lower == alone.log_delta.lower);
  CHECK(first.log_delta.upper == alone.log_delta.upper);
  const double left = Work::left();
  CHECK(left < 0.8 * whole);
  for (int i = 0; i < 10; ++i) {
    const DeltaAnswer later = delta(run, {.epsilon = 0.5, .tolerance = 1e-6});
    CHECK(later.log_delta.lower <= alone.log_delta.upper);
    CHECK(later.log_delta.upper >= alone.log_delta.lower);
    CHECK(Work::left() >= 0);
  }
  CHECK(Work::left() < 0.1 * left);
}

// Each certified trial has its share, so that the last ones are as narrow as the first.
TEST_CASE("engines.question.trials_of_a_calibration_have_equal_shares") {
  const Advantage advantage{0.3420453922417949};
  const Unknown unknown = unknown_of({open_entry_from_text("gaussian:sigma=2,allocation=300,count=?")}).unknown;
  const Calibration found = calibrate(unknown, {.goals = {advantage}});
  REQUIRE(found.next);
  for (const Trial& trial : {found.chosen, *found.next}) {
    const Attained& attained = trial.attained.front();
    CHECK_FALSE(attained.converged);
    CHECK(attained.value.lower >= 0.999 * limit_of(advantage));
    CHECK(attained.value.upper <= 1.001 * limit_of(advantage));
  }
  CHECK(found.chosen.attained.front().value.upper <= limit_of(advantage));
}

// An answer is there soon after its time is up: certified, and wider than its tolerance where that was too short.
TEST_CASE("engines.question.a_time_limit_gives_what_is_known") {
  const Composition run = test::composition_of({dear});
  const DeltaQuery query{.epsilon = 0.5, .tolerance = 1e-6};
  const DeltaAnswer whole = delta(run, query);
  for (const double seconds : {1e-9, 0.02, 1000.0}) {
    CAPTURE(seconds);
    const TimeLimit limit(seconds);
    const DeltaAnswer found = delta(run, query);
    CHECK(found.log_delta.lower <= whole.log_delta.upper);
    CHECK(found.log_delta.upper >= whole.log_delta.lower);
    if (seconds < 1) {
      CHECK_FALSE(found.converged);
      CHECK(found.log_delta.width() > 10 * whole.log_delta.width());
    } else {
      CHECK(found.log_delta.lower == whole.log_delta.lower);
      CHECK(found.log_delta.upper == whole.log_delta.upper);
    }
  }
}

TEST_CASE("engines.question.no_calibration_without_time") {
  const Unknown unknown = unknown_of({open_entry_from_text("discrete-gaussian:sigma=?,q=0.02,count=4000")}).unknown;
  const TimeLimit limit(1e-9);
  CHECK_THROWS_AS(calibrate(unknown, {.goals = {Target{1, 1e-6}}}), TimeIsUp);
}

}  // namespace pld
