// calibrate() of single releases, against the closed forms of their answers, in few compositions: cheap ones that place
// the search and two that are certified.
#include <cmath>
#include <functional>
#include <string>

#include "pld/calibrate/calibrate.hpp"
#include "pld/formats/open_entry.hpp"
#include "support/checks.hpp"

namespace pld {
namespace {

struct Found {
  double value = 0, next = 0;
  int compositions = 0;
};

Found solved(const std::string& word, const std::vector<Goal>& goals) {
  Found found;
  Unknown unknown = unknown_of({open_entry_from_text(word)}).unknown;
  unknown.at = [&found, at = unknown.at](double value) {
    ++found.compositions;
    return at(value);
  };
  const Calibration answer = calibrate(unknown, {.goals = goals});
  found.value = answer.chosen.value;
  REQUIRE(answer.next);
  found.next = answer.next->value;
  for (std::size_t i = 0; i < goals.size(); ++i) CHECK(answer.chosen.attained[i].value.upper <= limit_of(goals[i]));
  return found;
}

/// The value found and the next are on either side of the truth, and in how few compositions.
void check_between(const std::string& word, const std::vector<Goal>& goals, double truth, int most_compositions = 10) {
  const Found found = solved(word, goals);
  CAPTURE(word);
  CHECK_REL(found.value, truth, 1.1e-6);
  CHECK_REL(found.next, truth, 1.1e-6);
  // Where a double's neighbours share their delta, the two may be on the same side.
  CHECK((found.value - truth) * (found.next - truth) <= 1e-13 * truth * truth);
  CHECK(found.compositions <= most_compositions);
}

}  // namespace

TEST_CASE("calibrate.closed_form.few_compositions_wherever_the_answer_is") {
  for (const double epsilon : {1e-3, 0.1, 1.0, 6.0}) {
    for (const double delta : {0.0, 1e-12, 1e-6, 1e-3, 0.1}) {
      CAPTURE(epsilon);
      CAPTURE(delta);
      const Target target{epsilon, delta};
      // 1 - e^{(epsilon - 1 / scale) / 2}
      const double laplace = 1 / (epsilon - 2 * std::log1p(-delta));
      check_between("laplace:scale=?", {target}, laplace);
      check_between("laplace:scale=?*1000", {target}, laplace / 1000);
      // (e^x - e^epsilon) / (1 + e^x)
      const double pure = std::log((delta + std::exp(epsilon)) / (1 - delta));
      check_between("dp:epsilon=?", {target}, pure);
      check_between("randomized-response:p=?", {target}, 1 / (1 + std::exp(-pure)));
      check_between("discrete-laplace:a=?", {target}, pure);
    }
  }
}

TEST_CASE("calibrate.closed_form.advantages") {
  for (const double limit : {1e-6, 1e-3, 0.1, 0.6}) {
    check_between("laplace:scale=?", {Advantage{limit}}, -0.5 / std::log1p(-limit));
    check_between("randomized-response:p=?", {Advantage{limit}}, (1 + limit) / 2);
    check_between("dp:epsilon=?", {Advantage{limit}}, 2 * std::atanh(limit));
  }
}

TEST_CASE("calibrate.closed_form.infinite_losses_alone") {
  // 1 - (1 - x)^5
  for (const double delta : {1e-9, 1e-6, 0.01})
    check_between("dp:epsilon=0.1,delta=?,count=5", {Target{1, delta}}, -std::expm1(std::log1p(-delta) / 5), 12);
}

// Losses without a bound have a delta above 0 wherever they are asked: seen without a search.
TEST_CASE("calibrate.closed_form.no_delta_of_0") {
  for (const char* word : {"discrete-gaussian:sigma=?,count=10", "gaussian:sigma=?,q=0.01,count=1000", "zcdp:rho=?"}) {
    CAPTURE(word);
    int compositions = 0;
    Unknown unknown = unknown_of({open_entry_from_text(word)}).unknown;
    unknown.at = [&compositions, at = unknown.at](double value) {
      ++compositions;
      return at(value);
    };
    CHECK_THROWS_AS(static_cast<void>(calibrate(unknown, {.goals = {Target{1, 0}}})), DomainError);
    CHECK_THROWS_AS(static_cast<void>(calibrate(unknown, {.goals = {Advantage{0}}})), DomainError);
    CHECK(compositions == 2);
  }
}

// A count that has a closed form only where it is 1.
TEST_CASE("calibrate.closed_form.counts_leave_it") {
  CHECK(solved("laplace:scale=10,count=?", {Target{1, 0}}).value == 10);
  CHECK(solved("laplace:scale=100,count=?", {Target{1, 0}}).value == 100);
}

TEST_CASE("calibrate.range_and_function_are_checked") {
  const auto at = [](double) { return Composition(); };
  const CalibrateQuery query{.goals = {Target{.epsilon = 1, .delta = 1e-6}}};
  CHECK_THROWS_AS((void)calibrate(Unknown{.at = {}}, query), DomainError);
  CHECK_THROWS_AS((void)calibrate(Unknown{.at = at, .lowest = 0}, query), DomainError);
  CHECK_THROWS_AS((void)calibrate(Unknown{.at = at, .lowest = 2, .highest = 1}, query), DomainError);
}

}  // namespace pld
