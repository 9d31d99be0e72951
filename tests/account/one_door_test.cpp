// delta asked for by itself and read off a profile: both doors are as narrow as was asked, for questions that only one
// of them could answer. And a tolerance is not missed where a smaller one is met, nor a smaller one answered wider.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/composition_of.hpp"

namespace pld::test {
namespace {

void check_doors(const Composition& run, double epsilon) {
  constexpr double tolerance = 1e-3;
  const DeltaAnswer asked = delta(run, {.epsilon = epsilon, .tolerance = tolerance});
  const Bracket read = PrivacyProfile(run, {.tolerance = tolerance}).log_profile(epsilon).log_delta;
  CHECK(asked.converged);
  CHECK(asked.log_delta.width() <= std::log1p(tolerance));
  CHECK(read.width() <= std::log1p(tolerance));
  CHECK(std::max(asked.log_delta.lower, read.lower) <= std::min(asked.log_delta.upper, read.upper));
}

// Of three steps with rare hits a lattice tilted for one epsilon alone is 1.4 % wide at this tolerance.
TEST_CASE("account.one_door.few_hits") { check_doors(composition_of({"gaussian:sigma=0.5,q=6e-5,count=3"}), 5.27e-4); }

// The nodes that stand for an allocation are off by powers of ten far out, where a line knows the law itself.
TEST_CASE("account.one_door.allocations_far_out_as_lines_know_them") {
  const std::vector<std::pair<Composition, std::vector<double>>> cases{
      {composition_of({"gaussian:sigma=2.345,allocation=50,participations=3", "gaussian:sigma=10",
                       "gaussian:sigma=2,q=.01,count=100"}),
       {1, 3, 5}},
      {composition_of({"gaussian:sigma=1,allocation=1000,count=5"}), {0.7, 2.5, 5}},
      {composition_of({"gaussian:sigma=2.345,allocation=17"}), {1, 2.5205, 4, 6}},
  };
  for (const auto& [run, epsilons] : cases) {
    std::vector<double> places;
    for (int i = 1; i <= 40; ++i) places.push_back(0.15 * i);
    places.insert(places.end(), epsilons.begin(), epsilons.end());
    const std::vector<Bracket> read = PrivacyProfile(run).log_delta(places, DirectionChoice::remove);
    for (std::size_t i = 0; i < places.size(); ++i) {
      CAPTURE(places[i]);
      if (run.is_exact()) CHECK(read[i].width() <= 1e-3);
      if (i < 40) continue;
      const Bracket alone = delta(run, {.epsilon = places[i], .direction = DirectionChoice::remove}).log_delta;
      CHECK(std::fabs(read[i].upper - alone.upper) <= 1e-3);
      CHECK(std::max(alone.lower, read[i].lower) <= std::min(alone.upper, read[i].upper));
    }
  }
  CHECK(contradictions() == 0);
}

// Nodes leave some mass beyond all losses of allocated noise; told where a record is, it has none.
TEST_CASE("account.one_door.groups_of_allocated_records_lose_no_more_than_each_of_them_in_turn") {
  const Composition run = composition_of({"laplace:scale=1,allocation=10"}, Neighbours(Relation::add_remove, 3));
  CHECK_REL(max_divergence(run).upper, 3, 1e-8);
  for (const double delta : {0.0, 1e-12}) CHECK(epsilon(run, {.delta = delta}).upper <= 3 * (1 + 1e-8));
  CHECK(delta(run, {.epsilon = 3.001}).upper == 0);
  const PrivacyProfile profile(run);
  CHECK(profile.log_delta(3.001, DirectionChoice::worst).upper == -infinity);
  CHECK(profile.log_profile(3.001, DirectionChoice::worst).log_delta.upper == -infinity);
  CHECK(profile.log_profile({2.9, 3.001}, DirectionChoice::worst).back().log_complement.lower == 0);
  CHECK(epsilon(run, {.delta = 1e-3}).upper < 2.82);
}

// A line that is wide bounds what nodes tell even less of.
TEST_CASE("account.one_door.a_wide_line_counts_beside_nodes") {
  const Composition run = composition_of({"gaussian:sigma=1.54,allocation=2474,count=3"});
  CHECK(delta(run, {.epsilon = 2, .direction = DirectionChoice::remove}).upper < 1e-40);
}

// What nodes end at, and their mass at infinity, are no ends of the law that they stand for.
TEST_CASE("account.one_door.no_allocation_of_normal_noise_has_a_largest_loss") {
  const Composition run = composition_of({"gaussian:sigma=1.0436,allocation=12"});
  CHECK(PrivacyProfile(run).of_pairs().largest_loss(DirectionChoice::remove).upper == infinity);
  const DeltaAnswer far = delta(run, {.epsilon = 23.515, .direction = DirectionChoice::remove});
  CHECK(far.log_delta.width() <= 1e-9);
  CHECK(far.engine == Engine::contour);
}

// So far out in the tail no lattice is placed: a line that hardly pays is then the only way.
TEST_CASE("account.one_door.what_hardly_pays_is_tried_last") {
  check_doors(composition_of({"gaussian:sigma=19.76", "gaussian:sigma=20,count=2", "randomized-response:p=0.656"}),
              2.95);
}

// A lattice of each of so many laws is coarse, or is work that nothing is left of: a line beside a Gaussian goes first.
TEST_CASE("account.one_door.many_kinds_of_atoms") {
  Composition run;
  for (int i = 1; i <= 50; ++i) run.add(DiscreteLaplace{.a = 1.0 / (1 + i)}, 3).add(Laplace{.scale = 10 + i + 0.3}, 7);
  for (const double tolerance : {1e-1, 1e-2, 1e-3, 1e-4}) {
    CAPTURE(tolerance);
    CHECK(delta(run, {.epsilon = 15, .tolerance = tolerance}).converged);
  }
  check_doors(run, 15);
}

/// What becomes worse as the tolerance falls.
struct Worse {
  int missed = 0;  ///< tolerances that are missed where a smaller one is met
  int wider = 0;   ///< and those where the interval is also wider by more than a tenth than for a larger one
};

/// delta at tolerances that fall: each as narrow as it says.
Worse worse_at(const Composition& run, double epsilon, const std::vector<double>& tolerances) {
  Worse worse;
  double width = infinity;
  int missed_before = 0;
  for (const double tolerance : tolerances) {
    CAPTURE(tolerance);
    const DeltaAnswer found = delta(run, {.epsilon = epsilon, .tolerance = tolerance});
    CHECK(found.converged == (found.log_delta.width() <= std::log1p(tolerance)));
    if (found.converged) worse.missed += std::exchange(missed_before, 0);
    if (!found.converged) ++missed_before;
    if (!found.converged && found.log_delta.width() > 1.1 * width + 1e-11) ++worse.wider;
    width = std::min(width, found.log_delta.width());
  }
  return worse;
}

TEST_CASE("account.one_door.a_smaller_tolerance_is_not_wider") {
  for (const auto& words : std::vector<std::vector<std::string>>{{"laplace:scale=10,count=100"},
                                                                 {"laplace:scale=1,q=0.01,count=100"},
                                                                 {"gaussian:sigma=5", "laplace:scale=2,count=5"},
                                                                 {"gaussian:sigma=0.8,q=0.005,count=1000"}}) {
    CAPTURE(words.front());
    const Worse worse = worse_at(composition_of(words), 0.7, {1e-1, 2e-2, 5e-3, 1e-3, 3e-4, 1e-4});
    CHECK(worse.missed == 0);
    CHECK(worse.wider == 0);
  }
}

/// Whether each answer lies within the one before it, but for a slack, as tolerances fall from the one that a question
/// has by itself.
template <class Ask>
void check_nested(const std::vector<double>& tolerances, double slack, const Ask& ask) {
  Bracket known{-infinity, 0, infinity};
  for (const double tolerance : tolerances) {
    CAPTURE(tolerance);
    const Bracket found = ask(tolerance);
    CHECK(found.lower >= known.lower - slack);
    CHECK(found.upper <= known.upper + slack);
    known = found;
  }
}

// Noise of a finer lattice, or work that a finer one takes, made these wider: by two fifths, two fifths, from .16 to
// 1.2, and from 3e-4 to 19. The last two are not exact, so that each tolerance is asked for at once.
TEST_CASE("account.one_door.what_is_asked_for_more_closely_lies_within") {
  const std::vector<double> tolerances{1e-3, 1e-4, 3e-5, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};
  const Composition at_lattice_noise = composition_of({"laplace:scale=10.082,sensitivity=0.83693,count=4"});
  check_nested({tolerances.begin() + 1, tolerances.end()}, 0, [&](double tolerance) -> Bracket {
    return epsilon(at_lattice_noise, {.delta = 0.01, .tolerance = tolerance, .direction = DirectionChoice::add});
  });
  const Composition many = composition_of({"logistic:scale=2.1094,q=0.0017228,count=130630"});
  check_nested({tolerances.begin() + 1, tolerances.end()}, 0, [&](double tolerance) -> Bracket {
    return epsilon(many, {.delta = 0.3, .tolerance = tolerance, .direction = DirectionChoice::add});
  });
  const Composition batches =
      composition_of({"sinh-normal:sigma=0.5685,a=1.2300066,truncated=0.20927,cap=6481,records=31216",
                      "exponential:epsilon=1.5876,q=0.53529,count=9"});
  check_nested(tolerances, 1e-6, [&](double tolerance) {
    return delta(batches, {.epsilon = 0.1, .tolerance = tolerance, .direction = DirectionChoice::add}).log_delta;
  });
  const Composition guarantees =
      composition_of({"discrete-gaussian:sigma=3.0611,q=0.0025684,count=4",
                      "rdp:orders=1.5/3/32/64,epsilons=0.0015672/0.0031344/0.0334336/0.0668672,q=0.016601,count=905",
                      "laplace:scale=2.5599,sensitivity=0.5712,allocation=3,participations=3,"
                      "count=800"},
                     Relation::zero_out);
  check_nested({1e-4, 1e-6}, 1e-6,
               [&](double tolerance) { return Bracket(epsilon(guarantees, {.delta = 0.01, .tolerance = tolerance})); });
}

// Luck of a coarser lattice made a tolerance of .01 narrower than one of .001.
TEST_CASE("account.one_door.what_is_asked_for_less_closely_is_what_is_asked_for_by_default") {
  const Composition run = composition_of({"logistic:scale=13.726,count=3"});
  const Bracket by_default = epsilon(run, {.delta = 1e-6});
  for (const double tolerance : {10.0, 0.1, 3e-3}) {
    const Bracket found = epsilon(run, {.delta = 1e-6, .tolerance = tolerance});
    CHECK(found.lower == by_default.lower);
    CHECK(found.upper == by_default.upper);
  }
}

// No bracket of doubles is as narrow as that.
TEST_CASE("account.one_door.a_tolerance_below_rounding_is_not_met") {
  const Composition run = composition_of({"randomized-response:p=0.7,count=40", "gaussian:sigma=5"});
  for (const double tolerance : {1e-16, 1e-40})
    CHECK_FALSE(delta(run, {.epsilon = -4, .tolerance = tolerance}).converged);
}

// What took all the work said how the answer came about, though the bracket was that of another tolerance.
TEST_CASE("account.one_door.an_answer_says_how_its_nearer_bound_came_about") {
  const Composition run =
      composition_of({"discrete-gaussian:sigma=9.8674,sensitivity=3,count=479,allocation=191,participations=8",
                      "zcdp:rho=0.0097553,count=2"});
  const Answer found = epsilon(run, {.delta = 5.2428e-15, .tolerance = 1e-6});
  CHECK(found.direction == Direction::remove);
  CHECK(found.renyi_routes.value().added_first.upper == found.upper);
}

// A law that is rounded down had an epsilon of -1.53e-5 at least.
TEST_CASE("account.one_door.no_epsilon_lies_below_that_of_nothing_released") {
  const Composition run = composition_of({"gaussian:sigma=9269,allocation=1000000,participations=4"});
  const Answer found = epsilon(run, {.delta = 1e-5});
  CHECK(found.lower >= std::log1p(-1e-5) * (1 + 1e-15));
  CHECK(found.upper >= std::log1p(-1e-5));
}

// An engine that takes the allocation need not take the releases that are told.
TEST_CASE("account.one_door.an_engine_is_asked_of_the_composition_alone") {
  const Composition run = composition_of({"laplace:scale=1,allocation=3,participations=2"});
  const DeltaAnswer found =
      delta(run, {.epsilon = 1, .direction = DirectionChoice::add, .engine = Engine::closed_form});
  CHECK(found.upper < 0.1745);
}

// A bound by the releases of an allocation that is told is that of a composition like any other: looked for by readings
// of its profile, one took all the work, and tolerances of .3 and less had 131 where 1 had 113.6.
TEST_CASE("account.one_door.a_told_allocation_is_answered_like_any_composition") {
  const std::vector<std::string> others{"tcdp:rho=0.0026546,omega=21.294,count=29",
                                        "exponential:epsilon=1.3246,count=4"};
  const auto with = [&](const std::string& last) {
    std::vector<std::string> words = others;
    words.push_back("rdp:orders=2/8,epsilons=0.031356/0.125424" + last);
    return composition_of(words);
  };
  for (const double tolerance : {1.0, 0.3, 1e-2, 1e-4}) {
    CAPTURE(tolerance);
    const EpsilonQuery query{.delta = 1e-6, .tolerance = tolerance, .direction = DirectionChoice::remove};
    const Answer allocated = epsilon(with(",allocation=3,passes=22,count=144"), query);
    const Answer told = epsilon(with(",count=3168"), query);
    CHECK(allocated.upper <= told.upper * (1 + 1e-9));
    CHECK(told.upper < 113.56);
  }
}

// Of removal 160 nodes tell nothing, some mass being infinite there: more are placed whatever they take.
TEST_CASE("account.one_door.nodes_that_tell_nothing_are_not_the_last") {
  const Composition run =
      composition_of({"tcdp:rho=0.0026546,omega=21.294,count=29", "exponential:epsilon=1.3246,count=4",
                      "rdp:orders=2/8,epsilons=0.031356/0.125424,allocation=3,passes=22,count=144"});
  const DeltaAnswer found = delta(run, {.epsilon = 110, .direction = DirectionChoice::remove});
  CHECK(found.log_delta.upper < -30.9);
  CHECK(PrivacyProfile(run).delta(110, DirectionChoice::remove).lower <= found.upper);
}

// The pairs' bound is far above that by removal and addition, for which readings of twenty deltas leave no work: what
// is asked for alone then is narrow as a bound, but not the least one.
TEST_CASE("account.one_door.bounds_at_many_deltas_are_as_low_as_at_one") {
  const Composition run = composition_of(
      {"skellam:variance=8.8244,count=17", "logistic:scale=0.78439,sensitivity=2.6069,allocation=42,count=3733"},
      {Relation::replace_one});
  std::vector<double> deltas;
  for (int i = 20; i < 40; ++i) deltas.push_back(5e-12 * i);
  for (const Bracket& found : PrivacyProfile(run).epsilon(deltas)) CHECK(found.upper < 2000);
}

// A line takes the second place less work than there is, but more than half of a half of it.
TEST_CASE("account.one_door.few_deltas_have_an_answers_work_each") {
  const Composition run =
      composition_of({"generalized:shape=3,scale=0.8733,count=18", "laplace:scale=7.5822,wor=0.012447,count=6"},
                     {Relation::replace_one});
  const std::vector<double> deltas{1e-5, 2e-5, 3e-5};
  const std::vector<Bracket> together = PrivacyProfile(run).epsilon(deltas);
  for (std::size_t i = 0; i < deltas.size(); ++i)
    CHECK(together[i].upper <= epsilon(run, {.delta = deltas[i]}).upper * (1 + 1e-4));
}

/// As many kinds of noise on a sample of which a record is replaced: each is dear.
Composition dear_kinds(int kinds) {
  Composition run(Relation::replace_one);
  for (int i = 0; i < kinds; ++i) run.add(poisson_sampled(Gaussian{.sigma = 1 + i / 1000.0}, 0.01));
  return run;
}

// The first of three had a wider bracket, or a narrower one from what was found for all.
TEST_CASE("account.one_door.the_first_of_a_short_list_is_what_is_asked_alone") {
  const Composition run = composition_of({"gaussian:sigma=3.129,sensitivity=2.1283,wor=0.12941,count=35",
                                          "report-noisy-max:scale=28.471,sensitivity=1.7676,allocation=367,"
                                          "participations=9,count=9"},
                                         {Relation::replace_one});
  const std::vector<double> deltas{1e-6, 2e-6, 3e-6}, epsilons{1, 1.5, 2};
  const std::vector<Bracket> found = PrivacyProfile(run, {.epsilon_tolerance = 1e-3}).epsilon(deltas);
  const Answer alone = epsilon(run, {.delta = deltas.front(), .tolerance = 1e-3});
  CHECK(found.front().lower == alone.lower);
  CHECK(found.front().upper == alone.upper);
  CHECK(std::is_sorted(found.rbegin(), found.rend(), [](auto& a, auto& b) { return a.upper < b.upper; }));
  CHECK(std::is_sorted(found.rbegin(), found.rend(), [](auto& a, auto& b) { return a.lower < b.lower; }));

  const Composition dear = dear_kinds(40);
  const std::vector<Bracket> profile = PrivacyProfile(dear).log_delta(epsilons);
  const Bracket first = delta(dear, {.epsilon = epsilons.front()}).log_delta;
  CHECK(profile.front().lower == first.lower);
  CHECK(profile.front().upper == first.upper);
  CHECK(std::is_sorted(profile.rbegin(), profile.rend(), [](auto& a, auto& b) { return a.upper < b.upper; }));
}

// Where work, and not noise, ends what can be had, a smaller tolerance gets as much of it as a larger one: of hits
// apart, of a lattice, of a line beside a small Gaussian release.
TEST_CASE("account.one_door.work_is_spent_on_the_finest_that_it_affords") {
  struct Question {
    std::vector<std::string> words;
    double epsilon, width;
  };
  const Question questions[] = {
      {{"gaussian:sigma=3.511960,q=0.024964,count=2", "discrete-laplace:a=0.129530,count=8"}, 2.1167668164202937, 1e-7},
      {{"gaussian:sigma=3.375952,q=0.018010,count=6"}, 2.4864123442521664, 1e-6},
      {{"laplace:scale=6.694125,count=10", "randomized-response:p=0.684443,count=2"}, 0.9923141608617929, 1e-7}};
  for (const Question& asked : questions) {
    CAPTURE(asked.words.front());
    for (const double tolerance : {1e-7, 3e-8, 3e-9}) {
      CAPTURE(tolerance);
      const Bracket found =
          delta(composition_of(asked.words), {.epsilon = asked.epsilon, .tolerance = tolerance}).log_delta;
      CHECK(found.width() <= asked.width);
    }
  }
}

// Of bounds too the steps to a finer tolerance are the same whatever is asked for: this sampled zCDP release runs out
// of work at 1e-7, and is met by a line again at 1e-8.
TEST_CASE("account.one_door.bounds_miss_no_tolerance_above_one_that_they_meet") {
  const Composition run = composition_of({"zcdp:rho=0.009281,q=0.0035756,count=73"});
  Bracket before{-infinity, 0, infinity};
  bool all_met = true;
  for (const double tolerance : {1e-6, 1e-7, 1e-8}) {
    CAPTURE(tolerance);
    const Answer found = epsilon(run, {.delta = 0.01, .tolerance = tolerance});
    CHECK(!found.exact);
    CHECK(found.upper <= before.upper);
    CHECK(found.lower >= before.lower);
    CHECK(all_met >= found.converged);
    before = found, all_met = found.converged;
  }
}

// A lattice holds atoms of one distance; of the spacings that do, it takes one that others hardly miss.
TEST_CASE("account.one_door.a_lattice_hardly_misses_atoms_of_a_second_distance") {
  const std::vector<std::string> pairs[] = {
      {"randomized-response:p=0.6,count=5", "randomized-response:p=0.535281,count=6"},
      {"laplace:scale=5.312196,count=21", "randomized-response:p=0.535281,count=6"},
      {"laplace:scale=5.312196,count=21", "discrete-laplace:a=0.141,count=6"},
      {"laplace:scale=5.312196,count=21", "laplace:scale=7.1,count=6"}};
  for (const std::vector<std::string>& words : pairs) {
    CAPTURE(words.back());
    const Composition run = composition_of(words);
    const DeltaAnswer by_lattice = delta(run, {.epsilon = 1.5, .tolerance = 1e-7, .engine = Engine::lattice});
    CHECK(by_lattice.converged);
    // By all outcomes, where there are few.
    const Bracket other = delta(run, {.epsilon = 1.5, .tolerance = 1e-4}).log_delta;
    CHECK(std::max(by_lattice.log_delta.lower, other.lower) <= std::min(by_lattice.log_delta.upper, other.upper));
  }
}

TEST_SUITE("slow") {
  TEST_CASE("account.one_door.few_hits_at_many_tolerances") {
    const Composition run = composition_of({"gaussian:sigma=0.5,q=6e-5,count=3"});
    CHECK(worse_at(run, 5.27e-4, {2e-3, 1.1e-3, 1e-3, 9e-4, 6e-4}).missed == 0);
    CHECK(delta(run, {.epsilon = 5.27e-4, .tolerance = 6e-4}).converged);
  }

  // Half the width asked, which a profile's pieces are made to, is more work than allowed.
  TEST_CASE("account.one_door.rare_hits_beside_gaussians") {
    const Composition run = composition_of({"laplace:scale=0.1,q=1e-5,count=1000", "gaussian:sigma=50,count=100"});
    for (const double epsilon : {1.0, 3.0, 5.0}) {
      CAPTURE(epsilon);
      check_doors(run, epsilon);
    }
  }
}

}  // namespace
}  // namespace pld::test
