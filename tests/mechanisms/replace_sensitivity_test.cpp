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
}

TEST_CASE("mechanisms.replace_sensitivity.of_two_cells_in_groups") {
  // Of a group's records more cells may move: by steps.
  for (const double sigma : {2.0, 3.0, 10.0}) {
    CAPTURE(sigma);
    const Mechanism cells = with_replace_sensitivity(DiscreteGaussian{.sigma = sigma}, 1.41422);
    const Composition pairs = replaced(cells, 1, 2);
    CHECK_FALSE(pairs.is_exact());
    const Answer two = epsilon(pairs, {.delta = 1e-6});
    // Both records may leave one cell for one other.
    const auto at = [](const Composition& run) { return epsilon(run, {.delta = 1e-6}).estimate; };
    CHECK(two.upper >= at(Composition().add(DiscreteGaussian{.sigma = sigma, .sensitivity = 2}, 2)) * (1 - 1e-4));
    CHECK(two.upper < 3 * at(replaced(cells)));
    const Mechanism batch = without_replacement(cells, 0.1);
    CHECK(epsilon(replaced(batch, 1, 2), {.delta = 1e-6}).upper < 3 * at(replaced(batch)));
  }
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

namespace {

/// delta of a histogram with integer noise, one of whose records leaves a cell and enters another: by all outputs of
/// the two cells. `masses` are of -reach, -reach + 1, ..., reach.
double delta_of_two_cells(const std::vector<double>& masses, double epsilon) {
  const int size = static_cast<int>(masses.size());
  const auto mass = [&](int x) { return x < 0 || x >= size ? 0 : masses[static_cast<std::size_t>(x)]; };
  double sum = 0;
  for (int x = -1; x <= size; ++x)
    for (int y = -1; y <= size; ++y)
      sum += std::max(0.0, mass(x - 1) * mass(y) - std::exp(epsilon) * mass(x) * mass(y - 1));
  return sum;
}

template <class LogMass>
std::vector<double> masses_by(int reach, const LogMass& log_mass) {
  std::vector<double> masses;
  double total = 0;
  for (int x = -reach; x <= reach; ++x) total += masses.emplace_back(std::exp(log_mass(x)));
  for (double& mass : masses) mass /= total;
  return masses;
}

double log_of_coins(int n, double heads, int x) {
  return std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(n - x + 1) + x * std::log(heads) +
         (n - x) * std::log1p(-heads);
}

/// The difference of two Poisson variables, by all ways to get there.
double log_of_difference(double plus, double minus, int x) {
  double sum = 0;
  for (int j = std::max(0, -x); j < 120; ++j)
    sum += std::exp((x + j) * std::log(plus) - std::lgamma(x + j + 1) + j * std::log(minus) - std::lgamma(j + 1));
  return std::log(sum);
}

}  // namespace

TEST_CASE("mechanisms.replace_sensitivity.two cells of any integer noise are two releases") {
  struct Cells {
    std::vector<Mechanism> releases;
    std::vector<double> masses;
    Relation relation = Relation::replace_one;
  };
  const auto both = [](const Mechanism& cell) { return std::vector<Mechanism>{cell, cell}; };
  const std::vector<double> listed{0.1, 0.25, 0.3, 0.25, 0.1};
  const std::vector<Cells> cases{
      {both(with_replace_sensitivity(DiscreteLaplace{.a = 0.7}, 1)),
       masses_by(80, [](int x) { return -0.7 * std::abs(x); })},
      {both(with_replace_sensitivity(DiscreteGaussian{.sigma = 1.1}, 1)),
       masses_by(14, [](int x) { return -x * x / 2.42; })},
      {both(with_replace_sensitivity(Skellam{.variance = 6}, 1)),
       masses_by(40, [](int x) { return log_of_difference(3, 3, x); })},
      {both(with_replace_sensitivity(Binomial{.n = 30}, 1)),
       masses_by(15, [](int x) { return log_of_coins(30, 0.5, x + 15); })},
      {both(with_replace_sensitivity(IntegerNoise{.masses = listed}, 1)), listed},
      // Asymmetric noise: the cell that loses the record has the noise's mirror image.
      {{Binomial{.n = 30, .p = 0.3}, Binomial{.n = 30, .p = 0.7}},
       masses_by(15, [](int x) { return log_of_coins(30, 0.3, x + 15); }),
       Relation::add_remove},
      {{PoissonDifference{.plus = 5, .minus = 2}, PoissonDifference{.plus = 2, .minus = 5}},
       masses_by(45, [](int x) { return log_of_difference(5, 2, x); }),
       Relation::add_remove},
  };
  for (const Cells& cells : cases) {
    CAPTURE(cells.releases[0].text());
    Composition run(cells.relation);
    for (const Mechanism& release : cells.releases) run.add(release);
    CHECK(run.is_exact());
    for (const double epsilon : {0.0, 0.4, 1.1}) {
      const DeltaAnswer found = delta(run, {.epsilon = epsilon, .tolerance = 1e-4});
      const double want = delta_of_two_cells(cells.masses, epsilon);
      CHECK(found.lower <= want * (1 + 1e-10) + 1e-15);
      CHECK(found.upper >= want * (1 - 1e-10) - 1e-15);
      CHECK(found.upper - found.lower <= 2e-4 * want + 1e-12);
    }
  }
}

TEST_CASE("mechanisms.replace_sensitivity.refused where a replaced record moves asymmetric noise either way") {
  const auto refused = [](const Mechanism& noise) {
    CHECK(epsilon(Composition().add(noise), {.delta = 1e-3}).upper > 0);
    CHECK_THROWS_AS((void)replaced(noise), MissingTheorem);
  };
  refused(with_replace_sensitivity(Binomial{.n = 30, .p = 0.3}, 1));
  refused(with_replace_sensitivity(PoissonDifference{.plus = 5, .minus = 2}, 1));
  refused(with_replace_sensitivity(IntegerNoise{.masses = {0.2, 0.5, 0.3}}, 1));
}
