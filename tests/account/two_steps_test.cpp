#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "pld/pld.hpp"
#include "support/checks.hpp"

// A replaced record is removed, then another one is added: no answer is above what the two composed profiles give.

namespace {

using namespace pld;

/// Poisson samples of noise of bounded support, of which no tight pair is known, beside other releases.
std::vector<Release> random_releases(std::mt19937_64& random) {
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  const auto count = [&] { return static_cast<std::int64_t>(uniform(1, 60)); };
  std::vector<Release> releases;
  if (uniform(0, 1) < 0.6)
    releases.push_back(
        {poisson_sampled(TruncatedLaplace{.scale = uniform(0.5, 3), .bound = 20}, uniform(0.005, 0.2)), count()});
  else
    releases.push_back({poisson_sampled(Binomial{.n = 40}, uniform(0.01, 0.3)), count()});
  if (uniform(0, 1) < 0.5) releases.push_back({Gaussian{.sigma = uniform(5, 20)}, count()});
  return releases;
}

Composition composed(Relation relation, const std::vector<Release>& releases) {
  Composition out(relation);
  for (const Release& release : releases) out.add(release.mechanism, release.count);
  return out;
}

}  // namespace

TEST_CASE("account.two_steps.no answer is above a removal and an addition") {
  std::mt19937_64 random(7);
  for (int i = 0; i < 2; ++i) {
    const auto releases = random_releases(random);
    const Composition replaced = composed(Relation::replace_one, releases);
    const Composition steps = composed(Relation::add_remove, releases);
    const auto one = [&](double epsilon, DirectionChoice direction) {
      return delta(steps, {.epsilon = epsilon, .direction = direction}).upper;
    };
    for (const double epsilon : {1.2, -0.5}) {
      CAPTURE(epsilon);
      double least = 1;
      for (double a = -1; a <= 2; a += 0.25)
        least = std::min(least, one(a, DirectionChoice::remove) + std::exp(a) * one(epsilon - a, DirectionChoice::add));
      const auto found = delta(replaced, {.epsilon = epsilon});
      const Bracket read = profile(replaced).delta(epsilon);
      CHECK_FALSE(found.exact);
      CHECK(found.upper <= least * 1.002);  // the tolerance of delta
      CHECK(read.upper <= least * 1.002);
    }
    const double target = 1e-5;
    double least = INFINITY;
    for (double share = 0.05; share < 1; share += 0.15) {
      const double a = epsilon(steps, {.delta = share * target, .direction = DirectionChoice::remove}).upper;
      const double rest = (1 - share) * target * std::exp(-a) * (1 - 1e-12);
      least = std::min(least, a + epsilon(steps, {.delta = rest, .direction = DirectionChoice::add}).upper);
    }
    const auto found = epsilon(replaced, {.delta = target});
    CHECK(found.upper <= least * (1 + 1e-4));
    CHECK_FALSE(found.exact);
  }
}

TEST_CASE("account.two_steps.a sampled truncated Laplace is far below the pair of its batches") {
  Composition run(Relation::replace_one);
  run.add(poisson_sampled(TruncatedLaplace{.scale = 1, .bound = 20}, 0.01), 1000);
  const auto found = epsilon(run, {.delta = 1e-6});
  MESSAGE("epsilon <= ", found.upper);
  CHECK(found.upper < 3.1);  // 3.896 by the pair of sampling without replacement
  CHECK(found.lower > 1.28);
}
