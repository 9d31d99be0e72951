// The work that one call of a user may take: who shares it, and what calls come to where it is short.
#include "engines/question.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "core/price.hpp"
#include "core/work.hpp"
#include "pld/bounds/bound.hpp"
#include "pld/calibrate/calibrate.hpp"
#include "pld/formats/mechanism_text.hpp"
#include "pld/formats/open_entry.hpp"
#include "pld/pld.hpp"
#include "report/comparison.hpp"
#include "support/checks.hpp"
#include "support/composition_of.hpp"

namespace pld {
namespace {

/// A law of atoms that lie on no lattice, and too many to list.
const char* const dear = "laplace:scale=1,allocation=300,count=30";

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

TEST_CASE("engines.question.what_is_kept_is_taken_once_of_each") {
  const auto kept = [](double which, double points) {
    return Kept{.kind = 1, .most = 2, .which = {which}, .points = points};
  };
  for (int asked = 0; asked < 2; ++asked) {
    const Question question;
    const double whole = Work::left();
    CHECK_THROWS_AS(take_once(kept(1, whole + 1)), WorkSpent);
    for (const double which : {1, 1, 2, 1}) take_once(kept(which, 1000));
    CHECK(Work::left() == whole - 2000);
    take_once(kept(3, 1000));  // in place of those before it
    take_once(kept(1, 1000));
    CHECK(Work::left() == whole - 4000);
  }
}

// A piece that cannot tell what it takes is left out, and those after it are not.
TEST_CASE("engines.question.what_is_no_number_of_points_is_not_taken") {
  const Question question;
  const double whole = Work::left();
  CHECK_THROWS_AS(Work::take(NAN), WorkSpent);
  CHECK(Work::left() == whole);
}

// The atoms' distance is below every double.
TEST_CASE("engines.question.atoms_without_a_distance_leave_work") {
  const Question question;
  const double whole = Work::left();
  const DeltaAnswer found =
      delta(test::composition_of({"dp:epsilon=1.0793e-12,delta=0,q=3e-314", "gaussian:sigma=2.7e-14,count=49"}),
            {.epsilon = 0, .tolerance = 0.1});
  CHECK(found.lower <= found.upper);
  CHECK(Work::left() > 0.5 * whole);
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
  Work::note(whole);
  Work::leave_at_least(500);
  CHECK(Work::left() == 500);
  Work::leave_at_least(100);
  CHECK(Work::left() == 500);
}

// What one question asks takes from what the next in it has, and a wider answer is certified all the same.
TEST_CASE("engines.question.questions_within_one_share_its_work") {
  const Composition run = test::composition_of({dear});
  const auto asked = [&] { return delta(run, {.epsilon = 0.5, .tolerance = 1e-6}); };
  const DeltaAnswer alone = [&] {
    const Question of_one;
    return asked();
  }();
  const Question all;
  const double whole = Work::left();
  const DeltaAnswer first = asked();
  CHECK(first.log_delta.lower == alone.log_delta.lower);
  CHECK(first.log_delta.upper == alone.log_delta.upper);
  const double left = Work::left();
  CHECK(left < 0.8 * whole);
  for (int i = 0; i < 10; ++i) {
    const DeltaAnswer later = asked();
    CHECK(later.log_delta.lower <= alone.log_delta.upper);
    CHECK(later.log_delta.upper >= alone.log_delta.lower);
    CHECK(Work::left() >= 0);
  }
  CHECK(Work::left() < 0.1 * left);
}

// Each certified trial has its share, so that the last ones are as narrow as the first.
TEST_CASE("engines.question.trials_of_a_calibration_have_equal_shares") {
  const Advantage advantage{0.3420453922417949};
  const Unknown unknown = unknown_of({open_entry_from_text("laplace:scale=2,allocation=300,count=?")}).unknown;
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

// It is not the integrand that is to blame, and some answer is certain.
TEST_CASE("engines.question.an_engine_asked_for_gives_what_is_known_too") {
  const Composition run = test::composition_of({"gaussian:sigma=1,q=0.01,count=1000", "gaussian:sigma=2,q=0.3"});
  const TimeLimit limit(1e-9);
  const Answer found = epsilon(run, {.delta = 1e-5, .engine = Engine::contour});
  CHECK_FALSE(found.converged);
  CHECK(found.lower <= found.upper);
  CHECK(delta(run, {.epsilon = 1, .engine = Engine::contour}).upper <= 1);
}

// Sums of subnormal losses take ten times as long, and have no digits.
TEST_CASE("engines.question.subnormal_losses_are_not_summed") {
  const Question question;
  const double whole = Work::left();
  const Composition run = test::composition_of({"laplace:scale=0.001,q=1e-310,count=100"});
  CHECK_THROWS_AS((void)epsilon(run, {.delta = 1e-312, .engine = Engine::contour}), DomainError);
  CHECK(whole - Work::left() < 0.1 * whole);
}

// Orders of hundreds leave most of the quadrature's nodes no weight.
TEST_CASE("engines.question.a_comparison_has_the_work_of_two_answers") {
  const Question question(4);
  const double whole = Work::left();
  const auto points_of = [&](const std::string& text) {
    const std::vector<Entry> entries{entry_from_text(text)};
    const double before = Work::left();
    const Comparison found =
        comparison_of(test::composition_of({text}), entries, {.delta = 1e-12, .direction = DirectionChoice::worst});
    CHECK(found.bounds.size() == bounds::all_bounds().size());
    return before - Work::left();
  };
  CHECK(points_of("laplace:scale=0.07335,count=3,q=0.003592") < 0.1 * whole);
  CHECK(points_of("skellam:variance=100,q=0.1,count=30") < 0.6 * whole);
}

TEST_CASE("engines.question.no_calibration_without_time") {
  const Unknown unknown = unknown_of({open_entry_from_text("discrete-gaussian:sigma=?,q=0.02,count=4000")}).unknown;
  const TimeLimit limit(1e-9);
  CHECK_THROWS_AS(calibrate(unknown, {.goals = {Target{1, 1e-6}}}), TimeIsUp);
}

}  // namespace pld
