#include "pld/readout/gaussian_dp.hpp"

#include <cmath>

#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/composition_of.hpp"
#include "support/readout_reference.hpp"

namespace {

using namespace pld;
using test::Real;

Composition one(const Mechanism& mechanism, std::int64_t count = 1) { return Composition().add(mechanism, count); }

/// The mu of a delta at epsilon 0: 2 Phi(mu / 2) - 1 = 1 - missing.
Real mu_of_advantage(const Real& missing) { return 2 * test::normal_upper_quantile(missing / 2); }

/// Another route: the composition's own delta against the Gaussian's, on a grid of epsilons of both directions.
void check_covers(const Composition& composition, double mu) {
  const double largest = max_divergence(composition).upper;
  constexpr int parts = 60;
  for (int i = 0; i < parts; ++i) {
    const double epsilon = largest * i / parts;
    CAPTURE(epsilon);
    const Bracket found = delta(composition, {.epsilon = epsilon}).log_delta;
    CHECK(found.lower <= test::as_double(log(test::gaussian_delta(mu, epsilon))) + 1e-9);
  }
}

}  // namespace

// Randomised response and what it dominates meet the Gaussian at epsilon 0, whatever the size: by 50 digits.
TEST_CASE("readout.gaussian_dp.pure_dp_of_any_size") {
  for (const double epsilon : {1e-9, 1e-3, 1.0, 30.0, 600.0, 1000.0}) {
    const Finding found = gaussian_dp_mu(one(ApproximateDp{.epsilon = epsilon}));
    CAPTURE(epsilon);
    CHECK(found.exact);
    CHECK_INSIDE(found, test::as_double(mu_of_advantage(2 / (1 + exp(Real(epsilon))))));
    CHECK(found.width() <= 1e-10 * found.upper);
  }
  CHECK_INSIDE(gaussian_dp_mu(one(ApproximateDp{.epsilon = 1e5})), 894.3957873570501);  // mpmath
  // The normal tail at mu / 2 is e^-epsilon to within a factor that log(epsilon) bounds: mu is the root of 8 epsilon.
  for (const double epsilon : {1e16, 1e150, 1e300}) {
    CAPTURE(epsilon);
    CHECK_REL(gaussian_dp_mu(one(ApproximateDp{.epsilon = epsilon})).upper, std::sqrt(8.0) * std::sqrt(epsilon), 1e-12);
  }
}

// Of one release of Laplace noise delta(0) = 1 - e^(-1 / (2 scale)) needs the largest mu.
TEST_CASE("readout.gaussian_dp.one_laplace") {
  for (const double scale : {0.01, 1.0, 100.0}) {
    const Finding found = gaussian_dp_mu(one(Laplace{.scale = scale}), 1e-4);
    CAPTURE(scale);
    CHECK_INSIDE(found, test::as_double(mu_of_advantage(exp(-1 / (2 * Real(scale))))));
    CHECK(found.width() <= 1e-4 * found.upper);
  }
}

TEST_CASE("readout.gaussian_dp.bounded_losses_are_composed") {
  for (const Composition& composition :
       {one(Laplace{.scale = 50}, 1000), one(Laplace{.scale = 1}, 3).add(ApproximateDp{.epsilon = 0.5}),
        one(poisson_sampled(Laplace{.scale = 1}, 0.1), 20)}) {
    const Finding found = gaussian_dp_mu(composition);
    CHECK(found.exact);
    CHECK(found.width() <= 1e-4 * found.upper);
    check_covers(composition, found.upper);
    const GaussianComparison down_to = compare_with_gaussian(PrivacyProfile(composition), 1e-10);
    CHECK(found.upper >= down_to.smallest_mu.lower);
  }
  // Each by itself, which the sum of squares was, has a quarter more.
  CHECK(gaussian_dp_mu(one(Laplace{.scale = 50}, 1000)).upper < 0.6306);
}

// Far out delta is e^-500,000 here: equal blocks tell what profiles do not.
TEST_CASE("readout.gaussian_dp.a_million_releases") {
  const Finding found = gaussian_dp_mu(one(Laplace{.scale = 1000}, 1'000'000), 1e-3);
  CHECK(found.width() <= 1e-3 * found.upper);
  CHECK(found.lower >= 0.9998334651);  // of delta(0), by the contour: up to the bound of Gaussian noise's size, 1
  CHECK(found.upper <= 1.0006);
  // What equal blocks leave over, hundreds of millions here, is in blocks too.
  const Finding most = gaussian_dp_mu(one(Laplace{.scale = 1}, Composition::max_count), 1e-3),
                thousand = gaussian_dp_mu(one(Laplace{.scale = 1}, 1000));
  CHECK(most.upper <= 1.001 * std::sqrt(1e9) * thousand.upper);
  // What is no part of equal blocks counts besides: 300 releases, fewer than there are blocks.
  const Composition loud = one(Laplace{.scale = 30}, 300);
  const Finding all = gaussian_dp_mu(Composition(loud).add(Laplace{.scale = 1000}, 1'000'000), 1e-3),
                rest = gaussian_dp_mu(loud, 1e-3);
  CHECK(all.upper >= std::hypot(rest.lower, 0.9998));
  CHECK(all.upper <= 1.02 * std::hypot(rest.upper, 1.0));
}

// Next to 1 delta is not told of all together: what each release has, the root of ten times mu^2 of one.
TEST_CASE("readout.gaussian_dp.loud_releases") {
  const double of_each = std::sqrt(10) * test::as_double(mu_of_advantage(exp(-1 / (2 * Real(0.01)))));
  CHECK(gaussian_dp_mu(one(Laplace{.scale = 0.01}, 10)).upper <= of_each * 1.001);
}

TEST_CASE("readout.gaussian_dp.parts_add_up") {
  const Composition laplace = one(Laplace{.scale = 2}, 10);
  const Finding alone = gaussian_dp_mu(laplace), both = gaussian_dp_mu(Composition(laplace).add(Gaussian{.sigma = 2}));
  CHECK_REL(both.upper, std::hypot(alone.upper, 0.5), 1e-12);
  CHECK(both.lower >= alone.lower);
  CHECK(!both.exact);
  const Finding sampled_one = gaussian_dp_mu(one(poisson_sampled(Gaussian{.sigma = 2}, 0.01), 16));
  CHECK(sampled_one.exact);
  CHECK_INSIDE(sampled_one, 2);
  CHECK(gaussian_dp_mu(Composition()).upper == 0);
  CHECK_THROWS_AS((void)gaussian_dp_mu(one(ApproximateDp{.epsilon = 1, .delta = 1e-9})), DomainError);
  CHECK_THROWS_AS((void)gaussian_dp_mu(laplace, 1), DomainError);
}

TEST_CASE("readout.gaussian_dp.groups_add_up_by_records") {
  const Mechanism one_in_ten = poisson_sampled(RandomizedResponse{.p = 0.75}, 0.1);
  Neighbours two(Relation::add_remove);
  two.group = 2;
  const Finding single = gaussian_dp_mu(one(one_in_ten)), both = gaussian_dp_mu(Composition(two).add(one_in_ten));
  CHECK_REL(both.upper, 2 * single.upper, 1e-12);
  CHECK(both.lower >= (1 - 1e-4) * single.lower);
  CHECK(!both.exact);
}
