#include "account/common_lattice.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "account/directed_run.hpp"
#include "account/profile_on_lattice.hpp"
#include "account/renyi_routes.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace {

using namespace pld;

/// An outcome of a release: P and Q mass.
struct Outcome {
  double p = 0, q = 0;
};

/// Releases of few outcomes each, and all that they can put out together.
struct Enumerated {
  Composition composition;
  std::vector<std::vector<Outcome>> releases;

  void add_response(double truth) {
    composition.add(RandomizedResponse{.p = truth});
    releases.push_back({{truth, 1 - truth}, {1 - truth, truth}});
  }
  void add_guarantee(double epsilon, double delta) {
    composition.add(ApproximateDp{.epsilon = epsilon, .delta = delta});
    const double more = (1 - delta) / (1 + std::exp(-epsilon)), less = (1 - delta) / (1 + std::exp(epsilon));
    releases.push_back({{more, less}, {less, more}, {delta, 0}, {0, delta}});
  }

  /// By increasing loss and without the release at `left_out`.
  [[nodiscard]] std::vector<Outcome> outcomes(std::size_t left_out) const {
    std::vector<Outcome> all{{1, 1}};
    for (std::size_t i = 0; i < releases.size(); ++i) {
      if (i == left_out) continue;
      std::vector<Outcome> next;
      for (const Outcome& before : all)
        for (const Outcome& one : releases[i]) next.push_back({before.p * one.p, before.q * one.q});
      all = std::move(next);
    }
    return all;
  }
};

constexpr std::size_t none = static_cast<std::size_t>(-1);

double delta_of(const std::vector<Outcome>& outcomes, double epsilon) {
  double sum = 0;
  for (const Outcome& one : outcomes) sum += std::max(0.0, one.p - std::exp(epsilon) * one.q);
  return sum;
}

double epsilon_of(const std::vector<Outcome>& outcomes, double delta) {
  double low = 0, high = 100;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (delta_of(outcomes, middle) > delta ? low : high) = middle;
  }
  return high;
}

/// Ten releases, no two alike.
Enumerated ten_releases() {
  Enumerated all;
  for (const double truth : {0.52, 0.53, 0.55, 0.57, 0.6, 0.61}) all.add_response(truth);
  for (const double epsilon : {0.1, 0.15, 0.22, 0.31}) all.add_guarantee(epsilon, 1e-8 * epsilon);
  return all;
}

void check_around(const Bracket& found, double truth, double relative_width) {
  CAPTURE(truth);
  CHECK(found.lower <= truth * (1 + 1e-12));
  CHECK(found.upper >= truth * (1 - 1e-12));
  CHECK(found.width() <= relative_width * truth);
}

}  // namespace

TEST_CASE("account.common_lattice.readings hold what outcome by outcome comes to") {
  const Enumerated ten = ten_releases();
  const CommonLattice lattice(grid_for_kinds(ten.composition, 1e-6, 1e-4));
  const Terms terms = terms_in(ten.composition, Direction::remove);
  const auto reading = lattice.composed(terms);
  const std::vector<Outcome> outcomes = ten.outcomes(none);
  for (const double epsilon : {0.0, 0.2, 0.5, 0.9, 1.3}) {
    CAPTURE(epsilon);
    const Bracket log_delta = reading->log_delta(epsilon);
    check_around({std::exp(log_delta.lower), 0, std::exp(log_delta.upper)}, delta_of(outcomes, epsilon), 0.05);
  }
  for (const double delta : {1e-2, 1e-4, 1e-6})
    check_around(reading->epsilon(delta), epsilon_of(outcomes, delta), 0.01);
}

TEST_CASE("account.common_lattice.without each holds what the others come to outcome by outcome") {
  const Enumerated ten = ten_releases();
  const TotalGrid grid = grid_for_kinds(ten.composition, 1e-9, 1e-5);
  const CommonLattice lattice(grid);
  const double delta = 1e-4;
  const auto found = lattice.without_each(terms_in(ten.composition, Direction::remove), delta, 4 * grid.spacing);
  REQUIRE(found);
  check_around(found->all, epsilon_of(ten.outcomes(none), delta), 0.01);
  REQUIRE(found->without.size() == ten.releases.size());
  for (std::size_t i = 0; i < found->without.size(); ++i) {
    CAPTURE(i);
    check_around(found->without[i], epsilon_of(ten.outcomes(i), delta), 0.01);
  }
}

// A law of which nothing was made in time was once kept as one that loses nothing.
TEST_CASE("account.common_lattice.what a time limit stopped is made when it is asked again") {
  const Enumerated ten = ten_releases();
  const TotalGrid grid = grid_for_kinds(ten.composition, 1e-6, 1e-4);
  const CommonLattice stopped(grid), fresh(grid);
  const Terms terms = terms_in(ten.composition, Direction::remove);
  {
    const TimeLimit limit(1e-9);
    CHECK(stopped.composed(terms) == nullptr);
    CHECK_FALSE(stopped.without_each(terms, 1e-4, 4 * grid.spacing));
  }
  const auto again = stopped.composed(terms);
  REQUIRE(again);
  CHECK(again->log_delta(0.5).lower == fresh.composed(terms)->log_delta(0.5).lower);
  CHECK(again->log_delta(0.5).upper == fresh.composed(terms)->log_delta(0.5).upper);
}

TEST_CASE("account.common_lattice.a profile on one is that of the outcomes, and asks the engines where it is wide") {
  const Enumerated ten = ten_releases();
  const auto lattice = std::make_shared<const CommonLattice>(grid_for_kinds(ten.composition, 1e-6, 1e-3));
  const PrivacyProfile profile = profile_on(ten.composition, {.tolerance = 1e-4, .engine = Engine::lattice}, lattice);
  const std::vector<Outcome> outcomes = ten.outcomes(none);
  for (const double epsilon : {-0.4, 0.0, 0.3, 1.0}) {
    CAPTURE(epsilon);
    check_around(profile.delta(epsilon), delta_of(outcomes, epsilon), 1e-3);
  }
  check_around(profile.epsilon(1e-5), epsilon_of(outcomes, 1e-5), 1e-4);
}

TEST_CASE("account.common_lattice.repeated releases cost one transform a law, and keep their accuracy") {
  const double sigma = std::strtod("30", nullptr);
  Composition repeated;
  double square = 0;
  for (int i = 0; i < 9; ++i) {
    const int count = 20 + 7 * i;
    repeated.add(Gaussian{.sigma = sigma + i}, count);
    square += count / ((sigma + i) * (sigma + i));
  }
  const CommonLattice lattice(grid_for_kinds(repeated, 1e-6, 1e-5));
  Terms terms;
  for (const Release& release : repeated.releases())
    terms.push_back({release.mechanism.pair(Direction::remove), release.count});
  const auto reading = lattice.composed(terms);
  const double mu = std::sqrt(square);
  const auto above = [](double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); };
  for (const double epsilon : {0.0, 1.0, 2.0}) {
    CAPTURE(epsilon);
    const double truth = above(epsilon / mu - mu / 2) - std::exp(epsilon) * above(epsilon / mu + mu / 2);
    const Bracket log_delta = reading->log_delta(epsilon);
    check_around({std::exp(log_delta.lower), 0, std::exp(log_delta.upper)}, truth, 1e-3);
  }
}

TEST_CASE("account.directed_run.an infinite loss below every double leaves the others their digits") {
  Composition guarantees;
  for (int i = 0; i < 10; ++i) guarantees.add(ExponentialMechanism{.epsilon = 0.11 + 0.01 * i});
  guarantees.add(ApproximateDp{.epsilon = 0.1, .delta = 1e-15});
  const RenyiRoutes routes = renyi_routes(guarantees);
  REQUIRE(!routes.joined.empty());
  const DirectedRun run = run_in(routes.joined.front(), Direction::remove);
  double least = 0;
  for (const Term& term : run.terms) least = std::min(least, term.pair->log_mass_at_plus_infinity());
  REQUIRE(least < -1e20);  // what this is about
  check_around(run.infinity_mass, 1e-15, 1e-10);
}

TEST_CASE("account.common_lattice.what is cut off a law counts as often as it is repeated") {
  const double sigma = std::strtod("30", nullptr);
  constexpr int count = 30;
  const CommonLattice lattice(TotalGrid{.spacing = 1e-4, .log_cut = -6});
  const PairPtr pair = Mechanism(Gaussian{.sigma = sigma}).pair(Direction::remove);
  const auto reading = lattice.composed({{pair, count}});
  const double mu = std::sqrt(count) / sigma;
  const auto above = [](double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); };
  for (const double epsilon : {0.3, 0.5, 0.7}) {
    CAPTURE(epsilon);
    const double truth = above(epsilon / mu - mu / 2) - std::exp(epsilon) * above(epsilon / mu + mu / 2);
    CHECK(std::exp(reading->log_delta(epsilon).upper) >= truth);
  }
}
