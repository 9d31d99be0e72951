#include "pairs/stepped_pair.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "pairs/atomic_pair.hpp"
#include "pairs/two_atom_pair.hpp"
#include "pld/account/query.hpp"
#include "pld/core/contradictions.hpp"
#include "pld/mechanisms/approximate_dp.hpp"
#include "pld/mechanisms/discrete_gaussian.hpp"
#include "pld/mechanisms/discrete_laplace.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/sampling/random_allocation.hpp"
#include "support/delta_of_atoms.hpp"

namespace pld::test {
namespace {

double delta_of(const DominatingPair& pair, double epsilon) {
  return static_cast<double>(delta_of_atoms(pair, epsilon));
}

/// The least of delta(a) + e^a delta'(epsilon - a), over the a at which either profile bends: the sum is straight in
/// e^a or in e^-a between.
template <class Rest>
double least_split(const DominatingPair& first, double epsilon, const std::vector<double>& bends_of_rest,
                   const Rest& rest) {
  std::vector<double> shares;
  for (const LossCell& atom : first.atoms({})) shares.push_back(atom.loss);
  for (const double bend : bends_of_rest) shares.push_back(epsilon - bend);
  double least = 1;
  for (const double a : shares) least = std::min(least, delta_of(first, a) + std::exp(a) * rest(epsilon - a));
  return least;
}

std::vector<double> losses_of(const DominatingPair& pair) {
  std::vector<double> losses;
  for (const LossCell& atom : pair.atoms({})) losses.push_back(atom.loss);
  return losses;
}

void check_close(double found, double truth, double slack) {
  CHECK(found >= truth * (1 - 1e-15));
  CHECK(found <= truth + 1e-11 * truth + slack);
}

void check_between(double below, double truth, double above, double slack) {
  check_close(above, truth, slack);
  CHECK(below <= truth * (1 + 1e-15));
  CHECK(below >= truth - 1e-11 * truth - slack);
}

/// Of which the second law is the mirror image of the first.
PairPtr random_table(std::mt19937& engine, int cells, bool telling) {
  std::uniform_real_distribution<double> at(0.01, 1);
  std::vector<double> p;
  for (int i = 0; i < cells; ++i) p.push_back(at(engine));
  if (telling) p.front() = 0;
  const double sum = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& mass : p) mass /= sum;
  return pair_of_masses("table", p, {p.rbegin(), p.rend()});
}

/// n coins against as many, one side moved: masses of both on 0 to n + moved.
PairPtr moved_coins(int n, int moved) {
  std::vector<double> coins{1};
  for (int i = 0; i < n; ++i) {
    coins.push_back(0);
    for (std::size_t k = coins.size() - 1; k > 0; --k) coins[k] += coins[k - 1];
  }
  for (double& mass : coins) mass = std::ldexp(mass, -n);
  std::vector<double> p(static_cast<std::size_t>(moved), 0), q = coins;
  p.insert(p.end(), coins.begin(), coins.end());
  q.resize(p.size(), 0);
  return pair_of_masses("coins", p, q);
}

// The sum over any split is a bound (docs/groups.md), and the best one is attained by laws whose best tests follow each
// other.
TEST_CASE("pairs.stepped_pair.two_steps_are_the_least_split") {
  std::mt19937 engine(7);
  for (int round = 0; round < 40; ++round) {
    const PairPtr one = random_table(engine, 4 + round % 5, round % 2 == 1), two = pair_of_steps(*one, 2).above;
    REQUIRE(two);
    for (double epsilon = -6; epsilon < 6; epsilon += 0.37) {
      CAPTURE(epsilon);
      check_close(delta_of(*two, epsilon),
                  least_split(*one, epsilon, losses_of(*one), [&](double rest) { return delta_of(*one, rest); }),
                  1e-18);
    }
  }
}

TEST_CASE("pairs.stepped_pair.steps_add_up_in_any_order") {
  std::mt19937 engine(8);
  for (int round = 0; round < 10; ++round) {
    const PairPtr one = random_table(engine, 4, round % 2 == 1), four = pair_of_steps(*one, 4).above,
                  five = pair_of_steps(*one, 5).above;
    for (double epsilon = -4; epsilon < 8; epsilon += 0.7)
      check_close(delta_of(*five, epsilon),
                  least_split(*one, epsilon, losses_of(*four), [&](double rest) { return delta_of(*four, rest); }),
                  1e-18);
  }
}

// The best tests of log-concave noise reject beyond a threshold, which is the same for all steps.
TEST_CASE("pairs.stepped_pair.of_log_concave_noise_is_that_of_the_whole_shift") {
  for (const int steps : {2, 3, 7}) {
    const PairPtr by_steps = pair_of_steps(*moved_coins(20, 1), steps).above, whole = moved_coins(20, steps);
    for (double epsilon = -9; epsilon < 9; epsilon += 0.41)
      check_close(delta_of(*by_steps, epsilon), delta_of(*whole, epsilon), 1e-18);
    CHECK(by_steps->log_mass_at_plus_infinity() >= whole->log_mass_at_plus_infinity());
  }
}

// (k epsilon, delta (1 + e^epsilon + ...)): each step adds its delta where epsilon is spent before.
TEST_CASE("pairs.stepped_pair.of_a_guarantee_is_the_known_one") {
  for (const double epsilon : {0.001, 0.3, 5.0})
    for (const double delta : {0.0, 1e-30, 1e-5, 0.1}) {
      const TwoAtomPair one(ExactLoss{.rate = epsilon}, delta);
      const auto [above, below] = pair_of_steps(one, 3);
      CHECK(above->symmetric());
      CHECK(below->symmetric());
      const double truth = delta * (1 + std::exp(epsilon) + std::exp(2 * epsilon));
      if (truth < 0.5)
        check_between(delta_of(*below, 3 * epsilon), truth, delta_of(*above, 3 * epsilon + 1e-11), 1e-18);
    }
}

// Its best tests of a pure guarantee are those of noise with two losses, moved by the group.
TEST_CASE("pairs.stepped_pair.of_a_pure_guarantee_is_geometric_noise") {
  for (const double epsilon : {0.01, 0.3, 2.0})
    for (const int steps : {2, 3, 10}) {
      const PairPtr noise =
          dominating_pair(DiscreteLaplace{.a = epsilon, .sensitivity = 1.0 * steps}, Direction::remove);
      const auto [above, below] = pair_of_steps(TwoAtomPair(ExactLoss{.rate = epsilon}, 0), steps);
      for (double at = -0.97 * steps * epsilon; at < steps * epsilon; at += 0.061 * steps * epsilon)
        check_between(delta_of(*below, at), delta_of(*noise, at), delta_of(*above, at), 1e-12);
    }
}

TEST_CASE("pairs.stepped_pair.none_where_doubles_do_not_tell_it") {
  const auto of_dp = [](double epsilon, int steps) {
    return pair_of_steps(TwoAtomPair(ExactLoss{.rate = epsilon}, 0), steps).above;
  };
  CHECK(of_dp(5000, 2));
  CHECK(of_dp(6000, 2) == nullptr);
  CHECK(of_dp(700, 20) == nullptr);
  CHECK(of_dp(1e-9, 2) == nullptr);
  CHECK(pair_of_steps(*pair_without_loss(), 2).above == nullptr);
  CHECK(pair_of_steps(*pair_of_masses("table", {0.9, 0.1}, {0.01, 0.99}), 2).above == nullptr);  // not symmetric
  const Composition group = Composition({Relation::add_remove, 20.0}).add(ApproximateDp{.epsilon = 700});
  CHECK(epsilon(group, {.delta = 1e-5}).upper < 14000.01);
  CHECK(delta(group, {.epsilon = 14000}).upper == 0);
}

// The masses of an allocation's law do not add up to 1: composed, they had an epsilon of 2.9 where one record has 4.3.
TEST_CASE("pairs.stepped_pair.none_of_masses_rounded_to_a_side") {
  const Mechanism allocated = allocated_once(DiscreteGaussian{.sigma = 7.071, .sensitivity = 3}, 71, 9);
  CHECK(pair_of_steps(*allocated.pair(Direction::remove), 2).above == nullptr);
  const Composition one = Composition().add(allocated, 1),
                    two = Composition(Neighbours(Relation::add_remove, 2)).add(allocated, 1);
  CHECK(epsilon(two, {.delta = 1e-10}).upper >= epsilon(one, {.delta = 1e-10}).lower);
  CHECK(contradictions() == 0);
}

TEST_CASE("pairs.stepped_pair.none_of_densities_and_of_many_outcomes") {
  CHECK(pair_of_steps(*dominating_pair(Laplace{1}, Direction::remove), 2).above == nullptr);
  CHECK(pair_of_steps(*moved_coins(1000, 1), 2).above == nullptr);
  CHECK(pair_of_steps(*moved_coins(20, 1), 1000).above == nullptr);
}

}  // namespace
}  // namespace pld::test
