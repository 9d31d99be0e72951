#include "engines/inverse.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engines/search.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/rounding.hpp"
#include "support/checks.hpp"
#include "support/epsilon_of.hpp"
#include "support/random_draws.hpp"

namespace {
using namespace pld;
using pld::test::Random;

/// log delta of one Gaussian release by its tails, without any error bound: what is inverted here is a function.
double log_delta_of(double mu, double epsilon) {
  const auto tail = [](double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); };
  const double delta = tail(epsilon / mu - mu / 2) - std::exp(epsilon) * tail(epsilon / mu + mu / 2);
  return delta > 0 ? std::log(delta) : -infinity;
}

/// A reader that knows log delta to within so much of it on either side.
ReadProfile known_to(double mu, double below, double above) {
  return [=](double epsilon) {
    const double log_delta = log_delta_of(mu, epsilon);
    return profile_with({log_delta - below, log_delta, std::min(0.0, log_delta + above)});
  };
}

}  // namespace

TEST_CASE("engines.inverse.both_ends_are_certified_and_as_near_as_what_is_read_allows") {
  Random random(11);
  for (int i = 0; i < 300; ++i) {
    const double mu = random.log_uniform(0.01, 20), truth = mu * random.uniform(-2.0, 3.5);
    const double log_delta = log_delta_of(mu, truth), below = random.log_uniform(1e-9, 3),
                 above = random.log_uniform(1e-9, 3);
    if (!(log_delta > -20 && log_delta < -1e-6)) continue;
    const ReadProfile read = known_to(mu, below, above);
    const Level level(log_delta);
    for (const double near : {0.0, truth, truth + 0.1, 30 * mu, -3.0}) {
      CAPTURE(mu);
      CAPTURE(truth);
      CAPTURE(near);
      const Bracket found = epsilon_where(read, log_delta, near);
      if (found.lower == -infinity) {
        CHECK(log_delta > -1.001 * below);  // no delta is certainly as large as that
        continue;
      }
      CHECK(level.excess(read(found.lower)).lower >= 0);
      CHECK(level.excess(read(found.upper)).upper <= 0);
      CHECK(found.lower <= truth);
      CHECK(truth <= found.upper);
      // A twentieth of the width further in neither end is certain any more.
      const double further = 0.05 * found.width() + 1e-13 * (1 + std::fabs(truth));
      CHECK(level.excess(read(found.lower + further)).lower < 0);
      CHECK(level.excess(read(found.upper - further)).upper > 0);
    }
  }
}

TEST_CASE("engines.inverse.an_end_that_no_reading_tells_is_infinite") {
  const double log_delta = std::log(1e-3);
  const ReadProfile one_sided[] = {known_to(1, infinity, 1e-3), known_to(1, 1e-3, infinity)};
  const Bracket from_above = epsilon_where(one_sided[0], log_delta, 1),
                from_below = epsilon_where(one_sided[1], log_delta, 1);
  CHECK(from_above.lower == -infinity);
  CHECK(log_delta_of(1, from_above.upper) <= log_delta);
  CHECK(from_below.upper == infinity);
  CHECK(log_delta_of(1, from_below.lower) >= log_delta);
}

TEST_CASE("engines.inverse.a_step_of_the_profile_is_found_from_far_away") {
  // All losses are one: delta = 1 - e^(epsilon - loss) below it, and nothing from there on.
  for (const double loss : {1e-9, 1.0, 700.0, 1e15})
    for (const double near : {0.0, 1e-3, 1e3}) {
      const ReadProfile read = [&](double epsilon) {
        const double log_delta = log_one_minus_exp(std::min(0.0, epsilon - loss));
        return ProfileBracket{
            {log_delta, log_delta, log_delta},
            {std::min(0.0, epsilon - loss), std::min(0.0, epsilon - loss), std::min(0.0, epsilon - loss)}};
      };
      for (const double delta : {1e-12, 0.3, 0.999}) {
        CAPTURE(loss);
        CAPTURE(near);
        CAPTURE(delta);
        const double truth = loss + std::log1p(-delta);
        const Bracket found = epsilon_where(read, std::log(delta), near);
        CHECK(found.lower <= truth);
        CHECK(truth <= found.upper);
        CHECK(found.width() <= 1e-14 * (std::fabs(truth) + std::fabs(loss)));
      }
    }
}

TEST_CASE("engines.inverse.a_step_next_to_0_is_found_whatever_its_size") {
  for (const double step : {1e-7, 1e-9, 1e-30, 1e-250, 1e-310}) {
    CAPTURE(step);
    int readings = 0;
    const auto read = [&](double epsilon) {
      ++readings;
      const double log_delta = epsilon < step ? -2 : -5;
      return profile_with({log_delta, log_delta, log_delta});
    };
    const Bracket found = epsilon_where(read, -3, 0);
    CHECK(found.lower < step);
    CHECK(step <= found.upper);
    CHECK(found.upper <= std::max(1.01 * step, 1e-300));
    CHECK(readings <= 200);
  }
  for (const double far : {1e-6, 1.0, 1e10, 1e300}) {
    CAPTURE(far);
    const auto close = [](double a, double b) { return b <= 1.001 * a; };
    const auto [low, high] = crossing([](double x) { return x < 1e-290 ? 1.0 : -1.0; }, 0, far, close);
    CHECK(low < 1e-290);
    CHECK(1e-290 <= high);
    CHECK(high <= 1.01 * low);
  }
}

TEST_CASE("engines.inverse.a_lower_bound_that_drowns_far_from_its_place_does_not_mislead") {
  // As a lattice's does, whose tilt is for epsilons near 3.
  const double log_delta = log_delta_of(1, 3);
  const ReadProfile read = [](double epsilon) {
    const double value = log_delta_of(1, epsilon);
    return profile_with({std::fabs(epsilon - 3) < 0.5 ? value - 1e-6 : -infinity, value, std::min(0.0, value + 1e-6)});
  };
  const Bracket found = epsilon_where(read, log_delta, 3.3);
  CHECK(found.contains(3));
  CHECK(found.width() < 1e-5);
}
