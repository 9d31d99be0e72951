#include "pld/account/composition.hpp"

#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace pld {
namespace {

TEST_CASE("compose.composition.equal_mechanisms_are_merged") {
  Composition run;
  run.add(Gaussian{.sigma = 2}, 3).add(Laplace{.scale = 5}).add(Gaussian{.sigma = 2}, 4);
  run.add(poisson_sampled(Gaussian{.sigma = 2}, 0.5), 7).add(Laplace{.scale = 9}, 0);
  REQUIRE(run.releases().size() == 3);
  CHECK(run.releases()[0].count == 7);
  CHECK(run.releases()[1].count == 1);
  CHECK(run.releases()[2].mechanism.text() == "gaussian:sigma=2,q=0.5");
}

TEST_CASE("compose.composition.counts_out_of_range_are_refused") {
  Composition run;
  CHECK_THROWS_AS(run.add(Gaussian{}, -1), DomainError);
  CHECK_THROWS_AS(run.add(Gaussian{}, Composition::max_count + 1), DomainError);
  run.add(Gaussian{}, Composition::max_count);
  CHECK_THROWS_AS(run.add(Gaussian{}, 1), DomainError);
  CHECK(run.releases()[0].count == Composition::max_count);
}

TEST_CASE("compose.closed_form.at_the_largest_loss") {
  for (const double e : {0.3, 1.0, 7.0}) {
    Composition run;
    run.add(Laplace{.scale = 1, .sensitivity = e});
    const DeltaAnswer answer = delta(run, {.epsilon = e});
    CHECK(answer.lower == 0);
    CHECK(answer.upper < 1e-12);
  }
}

Composition replaced(const Mechanism& mechanism, std::int64_t count) {
  return Composition(Relation::replace_one).add(mechanism, count);
}

TEST_CASE("account.composition.is_exact_where_one_pair_of_neighbours_attains_it") {
  const Mechanism batch = without_replacement(RandomizedResponse{.p = 0.9}, 0.3);
  CHECK(Composition().is_exact());
  CHECK(Composition().add(Gaussian{}, 3).add(poisson_sampled(Laplace{}, 0.1), 7).is_exact());
  CHECK(Composition().add(batch, 2).is_exact());
  CHECK(replaced(batch, 1).is_exact());  // attained at every epsilon, each by neighbours of its own
  CHECK_FALSE(replaced(batch, 2).is_exact());
  CHECK_FALSE(replaced(batch, 1).add(Gaussian{}).is_exact());
  CHECK(replaced(poisson_sampled(Laplace{}, 0.1), 7).is_exact());
  CHECK_FALSE(replaced(poisson_sampled(ExponentialMechanism{}, 0.1), 1).is_exact());
  CHECK_FALSE(Composition(Relation::zero_out).add(batch).is_exact());
  CHECK_FALSE(Composition().add(ConcentratedDp{}).is_exact());
  CHECK_FALSE(Composition().add(Gaussian{}).add(ExponentialMechanism{}).is_exact());
}

// All neighbours of two such batches, adaptive ones too, enumerated: delta(1) = 0.12659, so that epsilon(0.13) is
// below 1.
TEST_CASE("account.composition.lower_ends_are_those_of_real_neighbours") {
  const Composition twice = replaced(without_replacement(RandomizedResponse{.p = 0.9}, 0.3), 2);
  const Answer found = epsilon(twice, {.delta = 0.13});
  CHECK_FALSE(found.exact);
  CHECK(found.lower < 1);
  CHECK(found.upper > 1);
  const DeltaAnswer at_one = delta(twice, {.epsilon = 1});
  CHECK(at_one.lower <= 0.12659);
  CHECK(at_one.upper >= 0.12659);
  CHECK(TradeOff(PrivacyProfile(twice)).at(0.1).beta.width() > 1e-3);  // between the two, as everywhere
}

// Gaussian noise has the guarantee, and two candidates have the losses of randomized response.
TEST_CASE("account.composition.guarantees_hold_what_a_mechanism_attains") {
  const Answer concentrated = epsilon(Composition().add(ConcentratedDp{.rho = 0.5}), {.delta = 1e-6});
  CHECK_FALSE(concentrated.exact);
  CHECK_INSIDE(concentrated, epsilon(Composition().add(Gaussian{.sigma = 1}), {.delta = 1e-6}).estimate);
  const Answer selection = epsilon(Composition().add(ExponentialMechanism{.epsilon = 1}, 9), {.delta = 1e-3});
  CHECK(selection.lower >= epsilon(Composition().add(ApproximateDp{.epsilon = 0.5}, 9), {.delta = 1e-3}).lower);
  CHECK(zcdp_rho(Composition().add(ConcentratedDp{.rho = 0.5})).lower <= 0.5);
}

}  // namespace
}  // namespace pld
