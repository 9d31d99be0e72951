#include "account/renyi_routes.hpp"

#include <cmath>
#include <random>

#include "pairs/renyi_curve.hpp"
#include "pld/account/privacy_profile.hpp"
#include "pld/account/query.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/integer_noise.hpp"
#include "pld/mechanisms/mechanism.hpp"
#include "pld/mechanisms/poisson_difference.hpp"
#include "pld/mechanisms/renyi_guarantees.hpp"
#include "pld/mechanisms/selection.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "support/checks.hpp"
#include "support/exact_profile.hpp"

namespace pld::test {
namespace {

std::optional<RenyiCurve> no_curve(const Release&) { return std::nullopt; }

TEST_CASE("account.renyi_routes.sums_are_bounds_to_their_rounding") {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> epsilons(1e-3, 3);
  std::uniform_int_distribution<int> counts(1, 1'000'000);
  for (int i = 0; i < 40; ++i) {
    Composition run;
    Real exact = 0;
    for (int parts = 2 + i % 3; parts > 0; --parts) {
      const double epsilon = epsilons(random);
      const int count = counts(random);
      run.add(RenyiDp{.orders = {4}, .epsilons = {epsilon}}, count);
      exact += Real(epsilon) * count;
    }
    const double found = renyi_first(run, no_curve).value().sum.at(4);
    CHECK(Real(found) >= exact);
    CHECK(Real(found) <= exact * (1 + 1e-14));
  }
}

TEST_CASE("account.renyi_routes.only_where_there_is_something_to_add") {
  const Mechanism guarantee = RenyiDp{.orders = {4}, .epsilons = {0.1}};
  CHECK(renyi_first(Composition().add(guarantee), no_curve).value().added == 1);
  CHECK(renyi_first(Composition().add(guarantee, 2), no_curve).value().added == 2);
  CHECK_FALSE(renyi_first(Composition().add(Gaussian{.sigma = 1}, 3), no_curve).has_value());
  const auto ordinary = [](const Release&) {
    return std::optional(RenyiCurve{[](double order) { return order / 2; }, infinity});
  };
  // Gaussians alone are known better than by their divergences.
  CHECK_FALSE(renyi_first(Composition().add(Gaussian{.sigma = 1}, 3), ordinary).has_value());
  const auto both = renyi_first(Composition().add(guarantee).add(Gaussian{.sigma = 1}, 3), ordinary);
  CHECK_REL(both.value().sum.at(4), 0.1 + 3 * 2, 1e-14);
  CHECK(both->sum.highest_order == 4);
  CHECK(both->rest.releases().empty());
  CHECK(both->joined().releases().front().mechanism.pair(Direction::remove)->renyi_curve()->at(4) == both->sum.at(4));
}

// A ledger of many guarantees: their pairs would take a second to make, and all work that is left to compose.
TEST_CASE("account.renyi_routes.many_guarantees_are_added_first") {
  Composition run;
  double sum = 0;
  for (int i = 0; i < 40; ++i) {
    const double rho = 1e-3 + i * 0x1p-16;
    run.add(ConcentratedDp{.rho = rho});
    sum += rho;
  }
  CHECK(renyi_routes(run).as_it_stands(run).releases().size() == 1);
  for (const bool beside : {false, true}) {
    Composition all = run, one = Composition().add(ConcentratedDp{.rho = sum});
    if (beside)
      for (Composition* c : {&all, &one}) c->add(poisson_sampled(Gaussian{.sigma = 1}, 0.01), 1000);
    const Answer of_all = epsilon(all, {.delta = 1e-6}), of_one = epsilon(one, {.delta = 1e-6});
    CHECK(std::fabs(of_all.upper / of_one.upper - 1) < 1e-6);
    CHECK(of_all.converged);
    const Bracket profile = PrivacyProfile(all).log_profile(1.5).log_delta;
    CHECK(std::fabs(profile.upper - PrivacyProfile(one).log_profile(1.5).log_delta.upper) < 1e-5);
  }
}

// One that knows of low orders only leaves the others' sum what it is, and a mechanism that is no guarantee its pair.
TEST_CASE("account.renyi_routes.many_guarantees_of_other_orders_stay_apart") {
  Composition alike;
  for (int i = 0; i < 16; ++i) alike.add(ConcentratedDp{.rho = 1e-3 + 1e-5 * i});
  for (const Mechanism& other :
       std::vector<Mechanism>{RenyiDp{.orders = {2}, .epsilons = {1e-4}}, ExponentialMechanism{.epsilon = 0.5}}) {
    CAPTURE(other.text());
    const Composition few = Composition(alike).add(other), many = Composition(few).add(ConcentratedDp{.rho = 1e-12});
    const double of_few = epsilon(few, {.delta = 1e-6}).upper, of_many = epsilon(many, {.delta = 1e-6}).upper;
    CHECK(of_many < 1.01 * of_few);
    CHECK(PrivacyProfile(many).log_profile(1).log_delta.upper <
          PrivacyProfile(few).log_profile(1).log_delta.upper + 0.05);
  }
}

// A profile asks with laws alone, without the words of a sample: its table was told to be too long, and was kept so.
TEST_CASE("account.renyi_routes.an_answer_is_the_same_before_and_after_a_profile") {
  const auto asked = [] {
    return Composition()
        .add(IntegerNoise{.masses = {0.022710722976034832, 0.06069734340962713, 0.12249713022254508,
                                     0.18668079991154762, 0.2148280069604909, 0.18668079991154762, 0.12249713022254508,
                                     0.06069734340962713, 0.022710722976034832}},
             7)
        .add(poisson_sampled(PoissonDifference{.plus = 13.595, .minus = 6.3945}, 0.0071787), 5)
        .add(RenyiDp{.orders = {1.5, 8, 32}, .epsilons = {0.0026667, 0.0142224, 0.0568896}});
  };
  const EpsilonQuery query{.delta = 0.3, .direction = DirectionChoice::remove};
  const Answer alone = epsilon(asked(), query);
  const Composition run = asked();
  const PrivacyProfile profile(run);
  const Answer after = epsilon(run, query);
  CHECK(after.upper == alone.upper);
  CHECK(after.lower == alone.lower);
  CHECK(profile.epsilon(0.3, DirectionChoice::remove).upper == alone.upper);
}

}  // namespace
}  // namespace pld::test
