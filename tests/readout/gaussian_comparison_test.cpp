#include "pld/readout/gaussian_comparison.hpp"

#include <algorithm>
#include <cmath>

#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/composition_of.hpp"
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

// By another route: at 0 delta is erf(mu / sqrt(8)), so that tiny ones are mu / sqrt(2 pi).
TEST_CASE("readout.gaussian.mu_of_a_point_of_any_size") {
  const Real root_two_pi = sqrt(2 * boost::math::constants::pi<Real>());
  for (const double log_delta : {-20.0, -40.0, -199.0, -201.0, -229.0, -231.0, -300.0, -700.0})
    CHECK_REL(gaussian_mu(0, log_delta), as_double(root_two_pi * exp(Real(log_delta))), 1e-12);
  for (const double mu : {1e-99, 1e-30, 1e-7, 1e4})
    for (const double t : {0.0, 0.3, 3.0}) {
      const double epsilon = mu * (mu / 2 + t);
      const Real x = Real(epsilon) / mu, density = exp(-x * x / 2) / root_two_pi;
      // Of the least ones the first term in mu.
      const Real delta = mu < 1e-20 ? mu * (density - x * test::normal_cdf(-x)) : test::gaussian_delta(mu, epsilon);
      CAPTURE(mu);
      CAPTURE(t);
      CHECK_REL(gaussian_mu(epsilon, as_double(log(delta))), mu, 1e-12);
    }
  CHECK_REL(gaussian_mu(1e20, -1), 14142135623.39347552, 1e-12);  // mpmath
  CHECK_REL(gaussian_mu(1e120, -1), std::sqrt(2e120), 1e-9);
  CHECK(gaussian_mu(1e300, -1) == INFINITY);
}

TEST_CASE("readout.gaussian.quiet_and_loud_gaussians_are_themselves") {
  for (const double mu : {1e-60, 1e-7, 1e6}) {
    const auto found = compare_with_gaussian(PrivacyProfile(one(Gaussian{.sigma = 1 / mu})), 1e-70, 1e-2);
    CAPTURE(mu);
    CHECK_INSIDE(found.smallest_mu, mu);
    CHECK_INSIDE(found.largest_mu, mu);
    CHECK(found.smallest_mu.upper <= 1.02 * mu);
  }
}

TEST_CASE("readout.gaussian.the_largest_mu_below_a_profile_with_infinite_losses") {
  const auto check = [](double loss, double leak, unsigned count) {
    CAPTURE(loss);
    CAPTURE(leak);
    CAPTURE(count);
    const auto found = compare_with_gaussian(
        PrivacyProfile(one(ApproximateDp{.epsilon = loss, .delta = leak}, count), {.tolerance = 1e-7}));
    CHECK(found.smallest_mu.lower == INFINITY);
    CHECK(found.highest_epsilon == INFINITY);
    CHECK(found.largest_mu.width() <= 1e-3 * found.largest_mu.upper);
    const test::ExactProfile responses(test::responses(1 / (1 + std::exp(-loss)), count));
    const Real kept = pow(1 - Real(leak), count);
    bool crosses = false;
    for (int i = 0; i <= 2000; ++i) {
      const Real epsilon = Real(i) / 100, delta = 1 - kept + kept * responses(epsilon);
      CHECK(delta >= test::gaussian_delta(found.largest_mu.lower, epsilon) - Real(1e-12));
      crosses = crosses || delta < test::gaussian_delta(found.largest_mu.upper * (1 + 1e-4), epsilon);
    }
    CHECK(crosses);
  };
  check(1, 0.5, 1);
  check(1, 0.01, 1);
  check(0.3, 1e-5, 7);
  const auto all = compare_with_gaussian(PrivacyProfile(one(MassTable{.p = {1, 0}, .q = {0, 1}})));
  CHECK(all.largest_mu.lower == INFINITY);
}

TEST_CASE("readout.gaussian.a_gaussian_is_itself") {
  for (const double mu : {0.05, 1.0, 5.0}) {
    const auto exact =
        compare_with_gaussian(PrivacyProfile(one(Gaussian{.sigma = 3, .sensitivity = mu}, 9)), 1e-10, 1e-3);
    CHECK_INSIDE(exact.smallest_mu, mu);
    CHECK_INSIDE(exact.largest_mu, mu);
    CHECK(exact.smallest_mu.width() <= 4e-16 * mu);
    CHECK(exact.largest_mu.width() <= 4e-16 * mu);
    // The same law by another name, from its profile.
    const auto found = compare_with_gaussian(
        PrivacyProfile(one(GaussianMixture{.sigma = 3, .shifts = {mu}, .weights = {1}}, 9)), 1e-10, 1e-3);
    CHECK_INSIDE(found.smallest_mu, mu);
    CHECK_INSIDE(found.largest_mu, mu);
    CHECK(found.smallest_mu.width() <= 1e-3 * mu);
    CHECK(found.largest_mu.width() <= 1e-3 * mu);
    CHECK(found.smallest_mu.width() > 1e-12 * mu);
    CHECK_REL(found.smallest_mu.estimate, mu, 1e-10);
    CHECK_REL(found.largest_mu.estimate, mu, 1e-10);
  }
}

// delta is 1 as a double up to large epsilons: mu is told by what is missing from 1.
TEST_CASE("readout.gaussian.a_loud_gaussian") {
  for (const double mu : {20.0, 60.0, 100.0}) {
    const GaussianMixture noise{.sigma = 1 / mu, .shifts = {1}, .weights = {1}};
    const auto found = compare_with_gaussian(PrivacyProfile(one(noise)), 1e-6, 1e-2);
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

// Where delta falls to least_delta is known to be between two epsilons, and mu rises up to the second.
TEST_CASE("readout.gaussian.mu_of_all_epsilons_that_count") {
  constexpr double least = 1e-10;
  for (const char* const text : {"gaussian:sigma=0.8,q=0.01,count=10", "gaussian:sigma=0.8,wor=4/400,count=10"}) {
    const Composition run = test::composition_of({text});
    const double last = PrivacyProfile(run, {.tolerance = 1e-9}).epsilon(least).lower;
    const double needed = gaussian_mu(last, std::log(least)) * (1 - 1e-9);
    for (const double tolerance : {1e-1, 1e-3}) {
      const PrivacyProfile wide(run, {.tolerance = tolerance, .engine = Engine::lattice});
      CHECK(compare_with_gaussian(wide, least).smallest_mu.upper >= needed);
    }
  }
}

TEST_CASE("readout.gaussian.infinite_losses") {
  const auto found = compare_with_gaussian(PrivacyProfile(one(ApproximateDp{.epsilon = 0.5, .delta = 0.01})), 1e-3);
  CHECK(found.smallest_mu.lower == INFINITY);
}

// Two exponential mechanisms lose at least .76 to a real neighbour and at most .8 by their pairs. Beyond what is
// attained delta may be below least_delta, so that it bounds no mu there.
TEST_CASE("readout.gaussian.largest_mu_of_what_pairs_only_bound") {
  const Composition run = one(ExponentialMechanism{.epsilon = 0.4}, 2);
  REQUIRE_FALSE(run.is_exact());
  const GaussianComparison found = compare_with_gaussian(PrivacyProfile(run));
  const PrivacyProfile pairs = PrivacyProfile(run).of_pairs();
  double last = 0;
  for (const PrivacyProfile& one : PrivacyProfile(run).attained())
    last = std::max(last, compare_with_gaussian(one).highest_epsilon);
  REQUIRE(last < compare_with_gaussian(pairs).highest_epsilon);
  double least = INFINITY;
  constexpr int steps = 400;
  for (int i = 0; i <= steps; ++i) {
    const double epsilon = last * i / steps;
    least = std::min(least, gaussian_mu(epsilon, pairs.log_profile(epsilon).log_delta.estimate));
  }
  CHECK(found.largest_mu.upper >= least * (1 - 1e-3));
  CHECK(found.largest_mu.upper <= least * (1 + 1e-3));
}

TEST_CASE("readout.gaussian.refuses") {
  const PrivacyProfile profile(one(Gaussian{.sigma = 1}));
  CHECK_THROWS_AS((void)compare_with_gaussian(profile, 0), DomainError);
  CHECK_THROWS_AS((void)compare_with_gaussian(profile, 1e-5, 0), DomainError);
  CHECK_THROWS_AS((void)gaussian_mu(-1, -1), DomainError);
}
