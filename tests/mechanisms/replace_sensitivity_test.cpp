#include "pld/mechanisms/replace_sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace {

using namespace pld;

Composition replaced(const Mechanism& mechanism, std::int64_t count = 1, int group = 1) {
  return Composition(Neighbours(Relation::replace_one, group)).add(mechanism, count);
}

/// delta of a histogram with discrete Gaussian noise, one of whose records leaves a cell and enters another: by all
/// outputs of the two cells.
double delta_of_two_cells(double sigma, double epsilon) {
  const int reach = static_cast<int>(std::ceil(12 * sigma));
  const auto mass = [&](int x) { return std::exp(-0.5 * x * x / (sigma * sigma)); };
  double total = 0, sum = 0;
  for (int x = -reach; x <= reach; ++x) total += mass(x);
  for (int x = -reach; x <= reach; ++x)
    for (int y = -reach; y <= reach; ++y)
      sum += std::max(0.0, mass(x - 1) * mass(y + 1) - std::exp(epsilon) * mass(x) * mass(y)) / (total * total);
  return sum;
}

}  // namespace

TEST_CASE("mechanisms.replace_sensitivity.a histogram's record moves two cells by 1") {
  for (const double sigma : {2.0, 2.3, 5.0}) {
    const Mechanism cells = with_replace_sensitivity(DiscreteGaussian{.sigma = sigma}, 1.41422);
    CHECK(replaced(cells).is_exact());
    for (const double epsilon : {0.0, 0.3, 1.0, 2.5}) {
      const Bracket found = delta(replaced(cells), {.epsilon = epsilon, .tolerance = 1e-9});
      CHECK_REL(found.estimate, delta_of_two_cells(sigma, epsilon), 1e-8);
    }
    const Composition twice = Composition().add(DiscreteGaussian{.sigma = sigma}, 2 * 7);
    CHECK_REL(epsilon(replaced(cells, 7), {.delta = 1e-30, .tolerance = 1e-9}).estimate,
              epsilon(twice, {.delta = 1e-30, .tolerance = 1e-9}).estimate, 1e-8);
  }
}

TEST_CASE("mechanisms.replace_sensitivity.removed records and groups") {
  const auto at = [](const Composition& run) { return epsilon(run, {.delta = 1e-6}).upper; };
  const Mechanism noise = with_replace_sensitivity(Gaussian{.sigma = 3}, 1.5);
  CHECK_REL(at(Composition().add(noise)), at(Composition().add(Gaussian{.sigma = 3})), 1e-12);
  CHECK_REL(at(replaced(noise)), at(Composition().add(Gaussian{.sigma = 3, .sensitivity = 1.5})), 1e-12);
  CHECK_REL(at(replaced(noise, 4, 3)), at(Composition().add(Gaussian{.sigma = 3, .sensitivity = 4.5}, 4)), 1e-12);
  CHECK_REL(at(Composition(Neighbours(Relation::add_remove, 2)).add(noise)),
            at(Composition().add(Gaussian{.sigma = 3, .sensitivity = 2})), 1e-12);
  const Mechanism whole = with_replace_sensitivity(Skellam{.variance = 30}, 2);
  CHECK_REL(at(replaced(whole)), at(replaced(Skellam{.variance = 30})), 1e-12);
  // Of a group's records more cells may move: by steps.
  const Mechanism cells = with_replace_sensitivity(DiscreteGaussian{.sigma = 10}, 1.41422);
  const Composition pairs = replaced(cells, 1, 2);
  CHECK_FALSE(pairs.is_exact());
  const Answer two = epsilon(pairs, {.delta = 1e-6});
  // Both records may leave one cell for one other.
  CHECK(two.upper >= at(Composition().add(DiscreteGaussian{.sigma = 10, .sensitivity = 2}, 2)) * (1 - 1e-4));
  CHECK(two.upper < 3 * at(replaced(cells)));
}

TEST_CASE("mechanisms.replace_sensitivity.refused") {
  CHECK_THROWS_AS((void)with_replace_sensitivity(Gaussian{.sigma = 1}, 2.1), DomainError);
  CHECK_THROWS_AS((void)with_replace_sensitivity(Gaussian{.sigma = 1}, 0.9), DomainError);
  CHECK_THROWS_AS((void)with_replace_sensitivity(Gaussian{.sigma = 1}, NAN), DomainError);
  CHECK_THROWS_AS((void)with_replace_sensitivity(DiscreteGaussian{.sigma = 3}, 1.5), DomainError);
  CHECK_THROWS_AS((void)with_replace_sensitivity(DiscreteGaussian{.sigma = 1.9}, 1.41422), DomainError);
  CHECK_THROWS_AS((void)with_replace_sensitivity(DiscreteGaussian{.sigma = 3, .sensitivity = 2}, 2.5), DomainError);
  const Mechanism noise = with_replace_sensitivity(Gaussian{.sigma = 3}, 1.5);
  CHECK_THROWS_AS((void)replaced(poisson_sampled(noise, 0.1)), MissingTheorem);
  // Two of its records are never opposite: what shuffled batches lose at least is not known.
  const Composition passes = Composition(Relation::zero_out).add(shuffled(noise, 10));
  CHECK(epsilon(passes, {.delta = 1e-6}).lower <= 0);
  CHECK(epsilon(Composition(Relation::zero_out).add(shuffled(Gaussian{.sigma = 1}, 10)), {.delta = 1e-6}).lower > 0);
}
