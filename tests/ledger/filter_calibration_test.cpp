#include "pld/ledger/filter_calibration.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "formats/open_tries.hpp"
#include "formats/refusals.hpp"
#include "ledger/folder.hpp"
#include "pld/core/time_limit.hpp"
#include "pld/formats/mechanism_text.hpp"
#include "pld/ledger/budget_file.hpp"
#include "pld/ledger/released.hpp"
#include "support/checks.hpp"

namespace pld {
namespace {

using test::Folder;

BudgetRules adaptive(const Goal& goal, FilterKind kind, double order = 0, double reserve = 0) {
  BudgetRules rules{.targets = {goal}};
  rules.filter = filter_for(rules.targets, kind, order, reserve);
  return rules;
}

NamedUnknown open(const std::vector<std::string>& words, const std::string& tries = "",
                  const Neighbours& neighbours = {}) {
  std::vector<OpenEntry> entries;
  for (const std::string& word : words) entries.push_back(open_entry_from_text(word));
  return unknown_of(selected(entries, tries, "test"), neighbours);
}

bool spends(const BudgetFile& file, const std::vector<Entry>& releases) {
  try {
    const Spending spending = file.spend({.releases = releases});
    if (spending.accepted) file.undo(spending.id);
    return spending.accepted;
  } catch (const DomainError&) {
    return false;
  }
}

/// A budget, of which `spent` stands.
struct Budget {
  Folder folder{};
  BudgetFile file;

  Budget(const BudgetRules& rules, const std::vector<std::string>& spent) : file(folder.file("budget")) {
    file.init(rules);
    for (const std::string& word : spent) REQUIRE(file.spend({.releases = {entry_from_text(word)}}).accepted);
  }
  [[nodiscard]] FilterCalibration calibrated(const NamedUnknown& unknown) const {
    const Released read = released_in_file(folder.file("budget"));
    return calibrate_to_filter(unknown, *read.rules, read.counted);
  }
};

bool are_neighbours(double a, double b, const NamedUnknown& unknown) {
  return unknown.unknown.scale == Unknown::Scale::whole ? std::fabs(a - b) == 1 : std::nextafter(a, b) == b;
}

// The budget itself is the judge: it takes what was found, and refuses the next number.
TEST_CASE("ledger.filter_calibration.spend_takes_what_is_found_and_not_the_next") {
  const Target target{1, 1e-6};
  struct Question {
    BudgetRules rules;
    std::vector<std::string> spent, asked;
    std::string tries{};
  };
  const std::vector<Question> questions{
      {adaptive(target, FilterKind::zcdp), {"gaussian:sigma=20"}, {"gaussian:sigma=?"}},
      {adaptive(target, FilterKind::zcdp), {"laplace:scale=37"}, {"gaussian:sigma=23.1,count=?"}},
      {adaptive(target, FilterKind::zcdp), {}, {"laplace:scale=?", "discrete-gaussian:sigma=50,count=3"}},
      {adaptive(target, FilterKind::zcdp), {}, {"gaussian:sigma=?*1", "gaussian:sigma=?*3,count=8"}},
      {adaptive(target, FilterKind::zcdp), {}, {"randomized-response:p=?,k=5"}},
      {adaptive(target, FilterKind::zcdp), {}, {"gaussian:sigma=60,q=0.01,epochs=?"}},
      {adaptive(target, FilterKind::gdp), {"gaussian:sigma=9"}, {"gaussian:sigma=?,sensitivity=0.3"}},
      {adaptive(target, FilterKind::gdp), {"gaussian:sigma=9"}, {"dp:epsilon=?"}},
      {adaptive(target, FilterKind::basic), {"laplace:scale=3"}, {"laplace:scale=?"}},
      {adaptive(target, FilterKind::basic), {}, {"dp:epsilon=0.01,delta=?"}},
      {adaptive(target, FilterKind::basic), {}, {"exponential:epsilon=?,count=3"}},
      {adaptive(target, FilterKind::zcdp, 0, 1e-7), {}, {"dp:epsilon=0.01,delta=1e-9,count=?"}},
      {adaptive(Target{3, 1e-5}, FilterKind::renyi, 8), {"gaussian:sigma=10"}, {"gaussian:sigma=?,q=0.01,count=200"}},
      {adaptive(Target{3, 1e-5}, FilterKind::renyi, 8), {}, {"gaussian:sigma=1,q=?,count=200"}},
      {adaptive(Target{3, 1e-5}, FilterKind::renyi, 8),
       {},
       {"gaussian:sigma=1,batch=?,dataset=50000,sampler=poisson,epochs=3"}},
      {adaptive(Target{3, 1e-5}, FilterKind::renyi, 8), {}, {"gaussian:sigma=1,q=0.01,count=?"}},
      {adaptive(Target{3, 1e-5}, FilterKind::renyi, 8), {}, {"laplace:scale=?"}, "geometric:mean=3"},
  };
  for (const Question& question : questions) {
    const Budget budget(question.rules, question.spent);
    const NamedUnknown unknown = open(question.asked, question.tries);
    const FilterCalibration found = budget.calibrated(unknown);
    CAPTURE(question.asked.front());
    CAPTURE(found.chosen.value);
    CHECK(found.converged);
    CHECK(found.chosen.refusal.empty());
    CHECK(spends(budget.file, found.chosen.releases));
    REQUIRE(found.next);
    CHECK(are_neighbours(found.chosen.value, found.next->value, unknown));
    CHECK(!found.next->refusal.empty());
    CHECK(!spends(budget.file, found.next->releases));
    CHECK(found.trials <= 80);
  }
}

TEST_CASE("ledger.filter_calibration.closed_forms_of_what_is_left") {
  const Budget rho(adaptive(ZeroConcentratedDp{0.5}, FilterKind::zcdp), {"gaussian:sigma=2"});  // leaves 3/8
  CHECK_REL(rho.calibrated(open({"gaussian:sigma=?"})).chosen.value, std::sqrt(4.0 / 3), 1e-15);
  CHECK(rho.calibrated(open({"gaussian:sigma=10,count=?"})).chosen.value == 75);
  CHECK(rho.calibrated(open({"gaussian:sigma=10,count=?", "zcdp:rho=0.1"})).chosen.value == 55);
  CHECK(rho.calibrated(open({"zcdp:rho=?,count=3"})).chosen.value == 0.125);
  const Budget mu(adaptive(GaussianDp{1}, FilterKind::gdp), {"gaussian:sigma=2"});  // leaves 3/4
  CHECK_REL(mu.calibrated(open({"gaussian:sigma=?"})).chosen.value, std::sqrt(4.0 / 3), 1e-15);
  const Budget pure(adaptive(Target{1, 0}, FilterKind::basic), {"laplace:scale=2"});  // leaves 1/2
  CHECK(pure.calibrated(open({"laplace:scale=?"})).chosen.value == 2);
  CHECK(pure.calibrated(open({"laplace:scale=?,count=10"})).chosen.value == 20);
  CHECK(pure.calibrated(open({"dp:epsilon=0.1,count=?"})).chosen.value == 5);
}

TEST_CASE("ledger.filter_calibration.groups_count_more") {
  BudgetRules rules = adaptive(ZeroConcentratedDp{0.5}, FilterKind::zcdp);
  rules.neighbours = {Relation::replace_one, 3};
  const Budget budget(rules, {});
  CHECK(budget.calibrated(open({"gaussian:sigma=?"}, "", rules.neighbours)).chosen.value == 6);
}

TEST_CASE("ledger.filter_calibration.the_end_of_the_range") {
  const Budget budget(adaptive(Target{1, 1e-6}, FilterKind::zcdp), {});
  const FilterCalibration found = budget.calibrated(open({"gaussian:sigma=50,q=?"}));  // whose rate counts for nothing
  CHECK(found.chosen.value == 1);
  CHECK(!found.next);
  CHECK(found.converged);
}

TEST_CASE("ledger.filter_calibration.an_export_has_what_the_file_has") {
  const Budget budget(adaptive(Target{1, 1e-6}, FilterKind::zcdp), {"gaussian:sigma=20", "laplace:scale=40"});
  budget.file.undo(1);
  std::string lines;
  budget.file.export_lines([&](std::string_view line) { lines += std::string(line) + '\n'; });
  const auto read = released_in_text(lines);
  REQUIRE(read);
  CHECK(read->counted.loss == budget.file.status().counted.loss);
  const NamedUnknown unknown = open({"gaussian:sigma=?"});
  CHECK(calibrate_to_filter(unknown, *read->rules, read->counted).chosen.value ==
        budget.calibrated(unknown).chosen.value);
}

TEST_CASE("ledger.filter_calibration.what_the_filter_says_of_a_value") {
  const BudgetRules rules = adaptive(ZeroConcentratedDp{0.5}, FilterKind::zcdp);
  const std::vector<OpenEntry> entries{open_entry_from_text("gaussian:sigma=?")};
  CHECK(filtered(entries, 1, rules, {}).refusal.empty());
  CHECK(filtered(entries, 0.5, rules, {}).refusal == "rho would be 2, of 0.5");
  const FilteredValue none = filtered({open_entry_from_text("skellam:variance=?")}, 100, rules, {});
  CHECK(none.refusal.find("no rho of zCDP") != std::string::npos);
  CHECK(!none.counts);
}

TEST_CASE("ledger.filter_calibration.refused") {
  const BudgetRules zcdp = adaptive(Target{1, 1e-6}, FilterKind::zcdp);
  const auto calibrated = [&](const char* word, const FilterCount& counted = {}) {
    return calibrate_to_filter(open({word}), zcdp, counted);
  };
  CHECK_REFUSED(calibrated("gaussian:sigma=20,count=?", {"3/125", "0"}), "count = 1: rho would be 0.02525, of 0.0243",
                "more left");
  CHECK_REFUSED(calibrated("gaussian:sigma=?", {"1", "0"}), "sigma = 1e12", "rho would be 1");
  CHECK_REFUSED(calibrated("skellam:variance=?"), "no rho of zCDP that is known", "renyi takes more");
  CHECK_REFUSED(calibrated("dp:epsilon=?,delta=1e-8"), "reserve");
  const BudgetRules plan{.kind = BudgetKind::planned, .targets = {Target{1, 1e-6}}};
  CHECK_REFUSED(calibrate_to_filter(open({"gaussian:sigma=?"}), plan, {}), "planned", "adaptive");
}

TEST_CASE("ledger.filter_calibration.time_that_is_up_leaves_ends_apart") {
  const BudgetRules rules = adaptive(ZeroConcentratedDp{0.3}, FilterKind::zcdp);
  const TimeLimit limit(TimeLimit::Clock::now());
  const FilterCalibration found = calibrate_to_filter(open({"gaussian:sigma=?"}), rules, {});
  CHECK(!found.converged);
  CHECK(found.chosen.value > std::sqrt(5.0 / 3));
  CHECK(found.chosen.refusal.empty());
  REQUIRE(found.next);
  CHECK(found.next->value < std::sqrt(5.0 / 3));
}

// Near its largest finite divergence this noise takes seconds to count; in less it may be known to be finite no more.
TEST_CASE("ledger.filter_calibration.what_is_refused_in_a_hurry_is_refused_at_leisure" * doctest::test_suite("slow")) {
  const BudgetRules rules = adaptive(Target{3, 1e-5}, FilterKind::renyi, 8);
  const NamedUnknown unknown = open({"sinh-normal:sigma=3,a=?"});
  for (const double seconds : {0.1, 0.5, 1.0}) {
    FilterCalibration found;
    {
      const TimeLimit limit(seconds);
      found = calibrate_to_filter(unknown, rules, {});
    }
    CAPTURE(seconds);
    CAPTURE(found.chosen.value);
    CHECK(filtered(unknown.entries, found.chosen.value, rules, {}).refusal.empty());
    if (found.next) CHECK(!filtered(unknown.entries, found.next->value, rules, {}).refusal.empty());
    CHECK((found.next.has_value() || !found.converged));
  }
}

}  // namespace
}  // namespace pld
