#include "pld/readout/loss_moments.hpp"

#include <cmath>

#include "pld/pld.hpp"
#include "support/checks.hpp"

using namespace pld;

TEST_CASE("readout.moments.gaussian_is_its_own_limit") {
  Composition run;
  run.add(Gaussian{.sigma = 2}, 3).add(Gaussian{.sigma = 5, .sensitivity = 2});
  const double mu = std::sqrt(3.0 / 4 + 4.0 / 25);
  const auto found = loss_moments(run, Direction::remove);
  CHECK_REL(found->mean, mu * mu / 2, 1e-12);
  CHECK_REL(found->variance, mu * mu, 1e-12);
  CHECK_REL(found->limit_mu(), mu, 1e-12);
  CHECK(found->berry_esseen_error() == 0);
}

TEST_CASE("readout.moments.randomized_response") {
  for (const double p : {0.6, 0.9}) {
    Composition run;
    run.add(RandomizedResponse{.p = p}, 50);
    const auto found = loss_moments(run, Direction::remove);
    const double z = std::log(p / (1 - p)), mean = (2 * p - 1) * z, variance = 4 * p * (1 - p) * z * z;
    const double up = z - mean, down = z + mean, third = p * up * up * up + (1 - p) * down * down * down;
    CHECK_REL(found->mean, 50 * mean, 1e-9);
    CHECK_REL(found->variance, 50 * variance, 1e-9);
    CHECK_REL(found->berry_esseen_error(), 0.56 * third / std::pow(variance, 1.5) / std::sqrt(50.0), 1e-9);
  }
}

TEST_CASE("readout.moments.mean_is_the_kl_divergence") {
  Composition run;
  run.add(poisson_sampled(Gaussian{.sigma = 1}, 0.1), 10).add(Laplace{.scale = 2});
  for (const auto direction : {Direction::remove, Direction::add}) {
    const auto choice = direction == Direction::remove ? DirectionChoice::remove : DirectionChoice::add;
    CHECK_REL(loss_moments(run, direction)->mean, kl_divergence(run, choice).estimate, 1e-2);
  }
}

TEST_CASE("readout.moments.none_of_infinite_losses") {
  CHECK(!loss_moments(Composition().add(ApproximateDp{.epsilon = 1, .delta = 0.1}), Direction::remove));
}
