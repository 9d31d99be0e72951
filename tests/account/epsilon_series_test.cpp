#include "account/epsilon_series.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/sampling/poisson_sampled.hpp"

using namespace pld;

namespace {

Composition steps(double sigma, double rate, std::int64_t count) {
  Composition run;
  run.add(poisson_sampled(Gaussian{.sigma = sigma}, rate), count);
  return run;
}

void check_same(const Answer& found, const Answer& alone) {
  CHECK(found.lower == alone.lower);
  CHECK(found.upper == alone.upper);
  CHECK(found.direction == alone.direction);
  CHECK(found.converged == alone.converged);
}

}  // namespace

TEST_CASE("account.epsilon_series.same_as_epsilon") {
  for (const double sigma : {0.8, 2.0}) {
    EpsilonSeries series({});
    for (const std::int64_t count : {6000, 5000, 4990, 3000, 300, 5500, 7000, 1}) {
      for (const double delta : {1e-6, 1e-4, 1e-9}) {
        CAPTURE(count);
        CAPTURE(delta);
        const Composition run = steps(sigma, 0.005, count);
        check_same(series.at(run, delta), epsilon(run, {.delta = delta}));
      }
    }
  }
}

TEST_CASE("account.epsilon_series.other_mechanisms_share_nothing") {
  EpsilonSeries series({});
  const Composition more = steps(0.8, 0.005, 1000);
  (void)series.at(more, 1e-6);
  Composition other;  // its add direction is far above that of `more`
  other.add(poisson_sampled(Gaussian{.sigma = 0.3}, 0.2), 3);
  check_same(series.at(other, 1e-6), epsilon(other, {.delta = 1e-6}));
  Composition mixed = steps(0.8, 0.005, 10);
  mixed.add(Laplace{.scale = 0.2}, 1);
  check_same(series.at(mixed, 1e-6), epsilon(mixed, {.delta = 1e-6}));
}

// The remove and add directions of a rate near one half come close: neither may be left out on a rough look.
TEST_CASE("account.epsilon_series.close_directions") {
  EpsilonSeries series({});
  for (const std::int64_t count : {40, 39, 20, 19, 5}) {
    const Composition run = steps(1.5, 0.5, count);
    check_same(series.at(run, 1e-3), epsilon(run, {.delta = 1e-3}));
  }
}
