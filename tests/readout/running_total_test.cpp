#include "pld/readout/running_total.hpp"

#include <chrono>
#include <cmath>
#include <vector>

#include "pld/bounds/gaussian_dp.hpp"
#include "pld/core/errors.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace pld {
namespace {

/// sigma of the i-th of n Gaussians that are one of mu, none equal to another.
double sigma_of(int i, int n, double mu) { return std::sqrt(n) / mu * (1 + 0.2 * std::sin(i)); }

double mu_of(int from, int to, int n, double mu) {
  double squared = 0;
  for (int i = from; i < to; ++i) squared += std::pow(sigma_of(i, n, mu), -2);
  return std::sqrt(squared);
}

TotalGrid gaussian_grid(int n, double mu) { return grid_for(Composition().add(Gaussian{std::sqrt(n) / mu}, n), 1e-6); }

/// Down to here round-off leaves a grid made for 1e-6 its accuracy, after some hundred releases.
constexpr double least_log_delta = -21;

void check_gaussian(RunningTotal& total, double mu, double tolerance, double least = least_log_delta) {
  for (const double epsilon : {-0.5, 0.0, 0.5, 1.0, 1.3}) {
    const DeltaAnswer found = total.delta({.epsilon = epsilon, .tolerance = tolerance});
    const double truth = bounds::gdp_log_delta(mu, epsilon);
    CHECK_MESSAGE(found.log_delta.contains(truth), "epsilon ", epsilon, ": ", found.log_delta.lower, " ", truth, " ",
                  found.log_delta.upper);
    CHECK((found.converged || truth < least));
    CHECK(found.contains(bounds::gdp_delta(mu, epsilon)));
  }
  for (const double delta : {1e-9, 1e-6, 1e-3}) {
    const Answer found = total.epsilon({.delta = delta, .tolerance = tolerance});
    CHECK_INSIDE(found, bounds::gdp_epsilon(mu, delta));
    CHECK((found.width() < tolerance || std::log(delta) < least));
  }
}

TEST_CASE("readout.running_total.distinct gaussians by their closed form, at any time") {
  constexpr int n = 400;
  const double mu = 0.23;
  RunningTotal total(gaussian_grid(n, mu));
  for (int i = 0; i < n; ++i) {
    total.add(Gaussian{sigma_of(i, n, mu)});
    if (i == 99 || i == 100 || i == 250 || i == n - 1) check_gaussian(total, mu_of(0, i + 1, n, mu), i < 300 ? 0.1 : 5e-3);
  }
  CHECK(total.state().on_lattice);
}

TEST_CASE("readout.running_total.tiny deltas by a tilt") {
  constexpr int n = 100;
  const double mu = 0.23;
  for (const double delta_asked : {1e-12, 1e-25}) {
    RunningTotal total(grid_for(Composition().add(Gaussian{std::sqrt(n) / mu}, n), delta_asked));
    for (int i = 0; i < n; ++i) total.add(Gaussian{sigma_of(i, n, mu)});
    const Answer found = total.epsilon({.delta = delta_asked, .tolerance = 1e-3});
    CHECK_INSIDE(found, bounds::gdp_epsilon(mu_of(0, n, n, mu), delta_asked));
    CHECK(found.converged);
  }
}

TEST_CASE("readout.running_total.a list while few differ") {
  const Mechanism gaussian = poisson_sampled(Gaussian{.sigma = 1}, 0.001), laplace = Laplace{.scale = 1e4};
  RunningTotal total;
  for (int i = 0; i < 1'000'000; ++i) total.add(i % 2 == 0 ? gaussian : laplace);
  CHECK(!total.state().on_lattice);
  Composition all;
  all.add(gaussian, 500'000).add(laplace, 500'000);
  const Answer found = total.epsilon({.delta = 1e-6}), fresh = epsilon(all, {.delta = 1e-6});
  CHECK(found.lower == fresh.lower);
  CHECK(found.upper == fresh.upper);
}

TEST_CASE("readout.running_total.shards merge in any order") {
  constexpr int n = 300;
  const double mu = 0.23;
  const auto shard = [&](int from, int to) {
    RunningTotal part(gaussian_grid(n, mu));
    for (int i = from; i < to; ++i) part.add(Gaussian{sigma_of(i, n, mu)});
    return part;
  };
  const double truth = mu_of(0, n, n, mu);
  RunningTotal left = shard(0, 90), right = shard(90, 120);  // the second one is still a list
  left.merge(right);
  left.merge(shard(120, n));
  check_gaussian(left, truth, 5e-3);
  RunningTotal rest = shard(90, 120);
  rest.merge(shard(120, n));
  RunningTotal first = shard(0, 90);
  first.merge(rest);
  check_gaussian(first, truth, 5e-3);
  RunningTotal back = shard(120, n);
  back.merge(shard(90, 120));
  back.merge(shard(0, 90));
  check_gaussian(back, truth, 5e-3);
  CHECK_THROWS_AS(left.merge(RunningTotal(gaussian_grid(n + 1, mu))), DomainError);
}

TEST_CASE("readout.running_total.both directions of sampled gaussians by the contour engine") {
  constexpr int n = 60;
  RunningTotal total(grid_for(Composition().add(poisson_sampled(Gaussian{.sigma = 1.3}, 0.02), n), 1e-6));
  Composition all;
  for (int i = 0; i < n; ++i) {
    const Mechanism step = poisson_sampled(Gaussian{.sigma = 1 + 0.01 * i}, 0.02);
    total.add(step);
    all.add(step);
  }
  for (const DirectionChoice direction : {DirectionChoice::remove, DirectionChoice::add, DirectionChoice::worst}) {
    for (const double epsilon : {0.3, 1.0, 1.5}) {
      const DeltaAnswer found = total.delta({.epsilon = epsilon, .tolerance = 0.05, .direction = direction});
      const DeltaAnswer exact = delta(all, {.epsilon = epsilon, .direction = direction, .engine = Engine::contour});
      CHECK_INSIDE(found.log_delta, exact.log_delta.estimate);
      CHECK((found.converged || exact.log_delta.estimate < least_log_delta));
      CHECK(found.direction == exact.direction);
    }
    const Answer found = total.epsilon({.delta = 1e-5, .tolerance = 0.01, .direction = direction});
    CHECK_INSIDE(found, epsilon(all, {.delta = 1e-5, .direction = direction, .engine = Engine::contour}).estimate);
    CHECK(found.converged);
  }
}

TEST_CASE("readout.running_total.atoms that fit no lattice, and mass at infinity") {
  constexpr int n = 100;
  Composition like;
  like.add(Laplace{.scale = 50}, n / 2).add(ApproximateDp{.epsilon = 0.01, .delta = 1e-8}, n / 2);
  RunningTotal total(grid_for(like, 1e-4));
  Composition all;
  const auto add = [&](const Mechanism& mechanism) {
    total.add(mechanism);
    all.add(mechanism);
  };
  for (int i = 0; i < n / 2; ++i) {
    add(Laplace{.scale = 40 + 0.37 * i});
    add(ApproximateDp{.epsilon = 0.01 + 1e-4 * i, .delta = 1e-8});
  }
  for (const double epsilon : {0.2, 0.5, 1.0}) {
    const DeltaAnswer found = total.delta({.epsilon = epsilon, .tolerance = 0.02}), fresh = delta(all, {.epsilon = epsilon});
    CHECK(found.converged);
    CHECK(found.upper >= fresh.lower);
    CHECK(found.lower <= fresh.upper);
  }
  const double infinite = -std::expm1(n / 2 * std::log1p(-1e-8));  // where no finite loss reaches
  const DeltaAnswer far = total.delta({.epsilon = 3});
  CHECK(far.lower <= infinite);
  CHECK(far.upper >= infinite);
  CHECK(total.epsilon({.delta = infinite / 2}).lower == infinity);
}

TEST_CASE("readout.running_total.refuses what it cannot do") {
  CHECK_THROWS_AS(RunningTotal(TotalGrid{.tilt = NAN}), DomainError);
  CHECK_THROWS_AS(RunningTotal(TotalGrid{.tilt = 1, .spacing = 0}), DomainError);
  CHECK_THROWS_AS(static_cast<void>(grid_for(Composition(), 1e-6)), DomainError);
  CHECK_THROWS_AS(static_cast<void>(grid_for(Composition().add(Gaussian{1}), 0)), DomainError);
}

TEST_SUITE("slow") {
  TEST_CASE("readout.running_total.a query after one more release costs the same after many") {
    using Clock = std::chrono::steady_clock;
    constexpr int n = 20'000;
    const double mu = 0.23;
    RunningTotal total(gaussian_grid(n, mu));
    std::vector<double> seconds;
    for (int i = 0; i < n; ++i) {
      total.add(Gaussian{sigma_of(i, n, mu)});
      if ((i + 1) % (n / 4) == 0) {
        static_cast<void>(total.delta({.epsilon = 1}));
        total.add(Gaussian{sigma_of(i, n, mu) * 1.5});
        const auto start = Clock::now();
        static_cast<void>(total.delta({.epsilon = 1}));
        seconds.push_back(std::chrono::duration<double>(Clock::now() - start).count());
        MESSAGE("after ", i + 1, " releases: ", seconds.back(), " s");
      }
    }
    double squared = std::pow(mu_of(0, n, n, mu), 2);
    for (int i = n / 4 - 1; i < n; i += n / 4) squared += std::pow(sigma_of(i, n, mu) * 1.5, -2);
    check_gaussian(total, std::sqrt(squared), 5e-3, std::log(1e-6) - 0.1);
    CHECK(seconds.back() < 6 * seconds.front());
  }
}

}  // namespace
}  // namespace pld
