// calibrate() of random allocations, whose laws are put on nodes: first guesses are far off, and a delta far from the
// target takes more work than there is.
#include <string>

#include "pld/account/query.hpp"
#include "pld/calibrate/calibrate.hpp"
#include "pld/core/contradictions.hpp"
#include "pld/formats/open_entry.hpp"
#include "support/checks.hpp"

namespace pld {
namespace {

/// The two values found lie close together, and the answer is on either side of the target there.
void check_close(const std::string& word, const Target& target, double apart) {
  CAPTURE(word);
  const Unknown unknown = unknown_of({open_entry_from_text(word)}).unknown;
  const auto before = contradictions();
  const Calibration found = calibrate(unknown, {.goals = {target}});
  REQUIRE(found.next);
  CHECK(found.chosen.value > found.next->value);
  CHECK(found.chosen.value < (1 + apart) * found.next->value);
  const auto delta_at = [&](double value) { return delta(unknown.at(value), {.epsilon = target.epsilon}); };
  CHECK(delta_at(found.chosen.value).lower <= target.delta);
  CHECK(delta_at(found.next->value * (1 - apart)).upper >= target.delta);
  CHECK(contradictions() == before);
}

}  // namespace

TEST_CASE("calibrate.allocation.noise_is_found_wherever_the_guess_is") {
  check_close("gaussian:sigma=?,allocation=200,count=3", {2, 1e-5}, 1e-3);
  check_close("gaussian:sigma=?,allocation=200,count=3", {0, 1e-2}, 2e-3);
  check_close("gaussian:sigma=?,allocation=1000,count=10", {4, 1e-6}, 2e-3);
}

TEST_CASE("calibrate.allocation.noise_of_thousands_of_steps_is_found_to_its_sixth_digit") {
  check_close("gaussian:sigma=?,allocation=5000,count=10", {3, 1e-5}, 1e-6);
  check_close("gaussian:sigma=?,allocation=20", {5, 1e-5}, 1e-6);
}

// The trials that find the place leave none to the certified ones.
TEST_CASE("calibrate.allocation.what_is_known_when_all_work_is_spent_is_told") {
  const Unknown unknown =
      unknown_of({open_entry_from_text("generalized:shape=1,scale=?,allocation=11131")}, Relation::zero_out).unknown;
  const TestPower goal{.fpr = 1.5028e-06, .tpr = 0.4947658183720127};
  const Calibration found = calibrate(unknown, {.goals = {goal}, .tolerance = 1e-9});
  CHECK(found.chosen.attained.front().value.upper <= goal.tpr);
  CHECK(!found.converged);
}

}  // namespace pld
