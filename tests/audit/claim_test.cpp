// Claims are judged by what is proved on their own side.
#include "audit/claim.hpp"

#include <cmath>

#include "pld/core/rounding.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace pld::test {
namespace {

TEST_CASE("audit.claim.judged_by_either_end") {
  for (const bool exact : {true, false}) {
    const Finding epsilon{{1, 1.5, 2}, exact};
    CHECK(judge(std::nextafter(1.0, 0.0), epsilon) == ClaimVerdict::under_reports);
    CHECK(judge(1, epsilon) == ClaimVerdict::undecided);
    CHECK(judge(std::nextafter(2.0, 0.0), epsilon) == ClaimVerdict::undecided);
    CHECK(judge(2, epsilon) == ClaimVerdict::valid);
  }
  for (const bool exact : {true, false}) {
    const Finding of_guarantee{{1, 1.5, 2}, exact, true};
    CHECK(judge(0.5, of_guarantee) == ClaimVerdict::undecided);
    CHECK(judge(2, of_guarantee) == ClaimVerdict::valid);
  }
  CHECK(judge(-1e300, {{-infinity, 1, 2}, false}) == ClaimVerdict::undecided);  // nothing is known from below
}

TEST_CASE("audit.claim.narrowed_until_it_is_decided") {
  const Composition run = Composition().add(poisson_sampled(Gaussian{.sigma = 0.8}, 0.005), 100);
  const EpsilonQuery query{.delta = 1e-6, .engine = Engine::lattice};
  const Answer rough = epsilon(run, query);
  const double truth = epsilon(run, {.delta = 1e-6, .tolerance = 1e-9}).estimate;
  for (const double share : {1 - 1e-6, 1 + 1e-6}) {
    REQUIRE(rough.contains(share * truth));
    const ClaimVerdict found = judge(share * truth, answer_about(share * truth, run, query));
    CHECK(found == (share < 1 ? ClaimVerdict::under_reports : ClaimVerdict::valid));
  }
}

TEST_CASE("audit.claim.bounds_that_need_not_be_attained_accuse_nobody") {
  // All neighbours enumerated: epsilon at .13 is below 1, which the composed pairs do not show.
  const Composition run =
      Composition(Relation::replace_one).add(without_replacement(RandomizedResponse{.p = 0.9}, 0.3), 2);
  const Answer found = answer_about(1, run, {.delta = 0.13});
  CHECK_FALSE(found.exact);
  CHECK(found.upper > 1);
  CHECK(judge(1, found) == ClaimVerdict::undecided);
}

TEST_CASE("audit.claim.what_is_known_accuses_beside_any_guarantee") {
  const Mechanism guarantees[] = {ConcentratedDp{.rho = 1e-3}, ApproximateDp{.epsilon = 0.01, .delta = 0}};
  const EpsilonQuery query{.delta = 1e-5};
  const double alone = epsilon(Composition().add(Gaussian{.sigma = 1}), query).lower;
  for (const Mechanism& guarantee : guarantees) {
    CAPTURE(guarantee.text());
    const Composition run = Composition().add(Gaussian{.sigma = 1}).add(guarantee);
    for (const double claim : {-1.0, 1.0, alone * (1 - 1e-9)}) {
      const Answer found = answer_about(claim, run, query);
      CHECK(judge(claim, found) == ClaimVerdict::under_reports);
      CHECK_FALSE(found.exact);
      CHECK_FALSE(found.only_guaranteed);
      CHECK(found.lower <= alone * (1 + 1e-12));
      CHECK(found.upper >= epsilon(run, query).lower);
    }
    // The mechanism behind the guarantee may tell nothing.
    CHECK(judge(alone * (1 + 1e-9), answer_about(alone * (1 + 1e-9), run, query)) != ClaimVerdict::under_reports);
    CHECK(judge(0.0, answer_about(0.0, Composition().add(guarantee, 9), query)) == ClaimVerdict::undecided);
  }
}

}  // namespace
}  // namespace pld::test
