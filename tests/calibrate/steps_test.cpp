// calibrate() where bounds are by steps of other neighbours: the pairs' closed forms are those of one step, no guide.
#include "pld/account/query.hpp"
#include "pld/calibrate/calibrate.hpp"
#include "pld/formats/open_entry.hpp"
#include "support/checks.hpp"

namespace pld {

TEST_CASE("calibrate.steps.closed_forms_of_one_step_are_not_asked") {
  const Neighbours pairs{Relation::zero_out, 2};
  const Unknown unknown = unknown_of({open_entry_from_text("gaussian:sigma=?,shuffled=10,count=2")}, pairs).unknown;
  const Calibration found = calibrate(unknown, {.goals = {Target{8, 1e-2}}});
  REQUIRE(found.next);
  CHECK(found.chosen.value < 1.002 * found.next->value);
  CHECK(delta(unknown.at(found.chosen.value), {.epsilon = 8}).upper <= 1e-2);
  CHECK(delta(unknown.at(found.next->value / 1.002), {.epsilon = 8}).upper > 1e-2);
}

// The law of so large a group takes much of the work that there is. Made anew for each trial, it left none: 41 releases
// were all that was proved to be safe.
TEST_CASE("calibrate.search.a_law_that_takes_long_is_made_once") {
  const Neighbours group{Relation::add_remove, 300};
  const Unknown unknown =
      unknown_of({open_entry_from_text("discrete-gaussian:sigma=50,q=0.001,count=?")}, group).unknown;
  const Calibration found = calibrate(unknown, {.goals = {Target{2, 1e-6}}});
  CHECK(found.chosen.value > 5500);
  CHECK(delta(unknown.at(found.chosen.value), {.epsilon = 2}).upper <= 1e-6);
}

}  // namespace pld
