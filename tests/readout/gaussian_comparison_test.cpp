#include "pld/readout/gaussian_comparison.hpp"

#include <cmath>

#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/readout_reference.hpp"

namespace {

using namespace pld;
using test::as_double;
using test::Real;

Composition one(const Mechanism& mechanism, std::int64_t count = 1) { return Composition().add(mechanism, count); }

}  // namespace

TEST_CASE("readout.gaussian.mu_of_a_point") {
  for (const double mu : {0.01, 1.0, 12.0})
    for (const double t : {0.0, 0.5, 2.0, 10.0}) {
      const double epsilon = mu * t;
      CHECK_REL(gaussian_mu(epsilon, as_double(log(test::gaussian_delta(mu, epsilon)))), mu, 1e-10);
    }
  CHECK(gaussian_mu(1, -INFINITY) == 0);
}

TEST_CASE("readout.gaussian.a_gaussian_is_itself") {
  for (const double mu : {0.05, 1.0, 5.0}) {
    const auto found =
        compare_with_gaussian(PrivacyProfile(one(Gaussian{.sigma = 3, .sensitivity = mu}, 9)), 1e-10, 1e-3);
    CHECK_INSIDE(found.smallest_mu, mu);
    CHECK_INSIDE(found.largest_mu, mu);
    CHECK(found.smallest_mu.width() <= 1e-3 * mu);
    CHECK(found.largest_mu.width() <= 1e-3 * mu);
    CHECK_REL(found.smallest_mu.estimate, mu, 1e-10);
    CHECK_REL(found.largest_mu.estimate, mu, 1e-10);
  }
}

// delta is 1 as a double up to large epsilons: mu is told by what is missing from 1.
TEST_CASE("readout.gaussian.a_loud_gaussian") {
  for (const double mu : {20.0, 60.0, 1000.0}) {
    const auto found = compare_with_gaussian(PrivacyProfile(one(Gaussian{.sigma = 1 / mu})), 1e-6, 1e-2);
    CAPTURE(mu);
    CHECK_INSIDE(found.smallest_mu, mu);
    CHECK_INSIDE(found.largest_mu, mu);
    CHECK(found.smallest_mu.width() <= 0.02 * mu);
    CHECK(found.largest_mu.width() <= 0.02 * mu);
  }
  // Where 1 - delta is e^-(1e6 53^2 / 8), between the limits for many and for few releases.
  const auto sampled =
      compare_with_gaussian(PrivacyProfile(one(poisson_sampled(Gaussian{.sigma = 2}, 0.1), 1'000'000)));
  CHECK(sampled.largest_mu.lower > 50);
  CHECK(sampled.smallest_mu.upper < 60);
}

TEST_CASE("readout.gaussian.randomized_responses_lie_between") {
  for (const unsigned k : {1u, 20u}) {
    const test::ExactProfile exact(test::responses(0.6, k));
    const auto found =
        compare_with_gaussian(PrivacyProfile(one(RandomizedResponse{.p = 0.6}, k), {.tolerance = 1e-6}), 1e-6);
    CAPTURE(k);
    double excess_small = -INFINITY, excess_large = INFINITY;
    for (int i = 0; i <= 300; ++i) {
      const Real epsilon = found.highest_epsilon * i / 300, delta = exact(epsilon);
      // Certified at every epsilon, not only where it was computed.
      CHECK(delta <= test::gaussian_delta(found.smallest_mu.upper, epsilon));
      CHECK(delta >= test::gaussian_delta(found.largest_mu.lower, epsilon));
      excess_small = std::fmax(excess_small, as_double(delta / test::gaussian_delta(found.smallest_mu.lower, epsilon)));
      excess_large = std::fmin(excess_large, as_double(delta / test::gaussian_delta(found.largest_mu.upper, epsilon)));
    }
    // And tight: the other ends cross the profile.
    CHECK(excess_small >= 1 - 1e-4);
    CHECK(excess_large <= 1 + 1e-4);
    CHECK(found.smallest_mu.width() <= 1e-3 * found.smallest_mu.upper);
    CHECK(found.largest_mu.width() <= 1e-3 * found.largest_mu.upper);
  }
}

TEST_CASE("readout.gaussian.sgd_tail_is_heavier_than_its_centre") {
  const PrivacyProfile profile(one(poisson_sampled(Gaussian{.sigma = 0.8}, 0.005), 1000));
  const auto wide = compare_with_gaussian(profile, 1e-12, 1e-3), narrow = compare_with_gaussian(profile, 1e-5, 1e-3);
  CHECK(wide.smallest_mu.lower > narrow.smallest_mu.upper);
  CHECK(narrow.smallest_mu.lower > narrow.largest_mu.upper);
  // At the advantage: 2 Phi(mu / 2) - 1 = delta(0).
  CHECK_REL(narrow.largest_mu.estimate, gaussian_mu(0, profile.log_profile(0).log_delta.estimate), 1e-3);
}

// The profile is known to a part in 1e4 and mu no better. Halving the deciding interval further once made its bound
// worse, to 10 %: a bound over the whole interval holds over both halves.
TEST_CASE("readout.gaussian.mu_is_as_narrow_as_the_profile_allows") {
  const GaussianComparison found = compare_with_gaussian(profile(Composition().add(Logistic{.scale = 5}, 4)));
  CHECK(found.smallest_mu.width() < 2e-4 * found.smallest_mu.lower);
  CHECK(found.largest_mu.width() < 2e-4 * found.largest_mu.lower);
}

TEST_CASE("readout.gaussian.infinite_losses") {
  const auto found = compare_with_gaussian(PrivacyProfile(one(ApproximateDp{.epsilon = 0.5, .delta = 0.01})), 1e-3);
  CHECK(found.smallest_mu.lower == INFINITY);
}

TEST_CASE("readout.gaussian.refuses") {
  const PrivacyProfile profile(one(Gaussian{.sigma = 1}));
  CHECK_THROWS_AS((void)compare_with_gaussian(profile, 0), DomainError);
  CHECK_THROWS_AS((void)compare_with_gaussian(profile, 1e-5, 0), DomainError);
  CHECK_THROWS_AS((void)gaussian_mu(-1, -1), DomainError);
}
