#include "sampling/unsampled_group.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "pld/account/query.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/gaussian_mixture.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "pld/sampling/random_allocation.hpp"
#include "pld/sampling/shuffled.hpp"
#include "pld/sampling/without_replacement.hpp"
#include "support/checks.hpp"

namespace pld::test {
namespace {

/// How far a group moves each of two steps, and how likely that is.
struct Moves {
  double chance;
  std::array<double, 2> by;
};

/// H_{e^epsilon} of the mixture of normal laws on the plane against the one about 0, by a sum over a grid: integrands
/// that are smooth but for a kink, and tails beyond its ends of 1e-15.
double delta_of(const std::vector<Moves>& moves, double epsilon) {
  constexpr double step = 0.04, from = -8, to = 14;
  double sum = 0;
  for (double x = from; x < to; x += step)
    for (double y = from; y < to; y += step) {
      double ratio = 0;
      for (const auto& [chance, by] : moves)
        ratio += chance * std::exp(by[0] * (x - by[0] / 2) + by[1] * (y - by[1] / 2));
      sum += std::exp(-(x * x + y * y) / 2) * std::max(0.0, ratio - std::exp(epsilon));
    }
  return sum * step * step / (2 * std::acos(-1.0));
}

double bound_of(const Mechanism& mechanism, Relation relation, double epsilon) {
  return delta(Composition(Neighbours(relation, 2)).add(mechanism), {.epsilon = epsilon}).upper;
}

TEST_CASE("sampling.unsampled_group.bounds_what_two_records_lose_in_two_steps") {
  for (const double s : {0.5, 1.0, 2.0}) {
    CAPTURE(s);
    const Gaussian noise{.sigma = 1 / s};
    const std::vector<Moves> drawn{{0.25, {2 * s, 0}}, {0.25, {0, 2 * s}}, {0.5, {s, s}}};
    // Two of four records in two batches of two.
    const std::vector<Moves> dealt{{1. / 6, {2 * s, 0}}, {1. / 6, {0, 2 * s}}, {2. / 3, {s, s}}};
    // One batch of two out of three records, two of whom are the group.
    const std::vector<Moves> batch{{1. / 3, {2 * s, 0}}, {2. / 3, {s, 0}}};
    const double longer = std::sqrt(3.0);  // passes of one step
    std::vector<Moves> stays = drawn;
    for (Moves& one : stays)
      for (double& by : one.by) by *= longer;
    for (const double epsilon : {0.5, 1.0, 3.0}) {
      CAPTURE(epsilon);
      constexpr double grid = 1e-4;  // relative, and of a double's delta next to 0
      const auto holds = [&](const std::vector<Moves>& moves, const Mechanism& mechanism, Relation relation) {
        CHECK(bound_of(mechanism, relation, epsilon) >= (1 - grid) * delta_of(moves, epsilon) - 1e-12);
      };
      holds(drawn, randomly_allocated(noise, 2), Relation::add_remove);
      holds(dealt, shuffled(noise, 2), Relation::zero_out);
      holds(batch, without_replacement(noise, 2. / 3), Relation::zero_out);
      holds(stays, allocated_once(noise, 2, 3), Relation::add_remove);
    }
  }
}

TEST_CASE("sampling.unsampled_group.is_attained_where_nothing_is_drawn") {
  // Two records in both of two steps move them by 2 each.
  const Law law =
      randomly_allocated_to_several(Gaussian{.sigma = 2}, 2, 2).under(Neighbours(Relation::zero_out, 2)).law();
  Composition bound, truth;
  bound.add(Mechanism("bound", law.remove, law.add));
  truth.add(Gaussian{.sigma = 2, .sensitivity = 2}, 2);
  for (const double delta : {1e-3, 1e-9, 1e-30}) {
    const Answer found = epsilon(bound, {.delta = delta}), exact = epsilon(truth, {.delta = delta});
    CHECK(found.upper >= exact.lower);
    CHECK(found.upper <= exact.upper * (1 + 1e-12));
  }
}

// k steps say less of a large group than that nobody is drawn.
TEST_CASE("sampling.unsampled_group.no_worse_than_without_sampling") {
  for (const int group : {20, 60}) {
    Composition sampled(Neighbours(Relation::zero_out, group)), whole = sampled;
    sampled.add(randomly_allocated(Gaussian{.sigma = 0.5}, 3)).add(without_replacement(Gaussian{.sigma = 0.5}, 0.5));
    whole.add(Gaussian{.sigma = 0.5}, 2);
    CHECK(epsilon(sampled, {.delta = 1e-5}).upper <= epsilon(whole, {.delta = 1e-5}).upper * (1 + 1e-9));
  }
}

// Cells of a large group leave out terms that do not weigh; those of the mixture by name count all.
TEST_CASE("sampling.group.of_many_records_is_the_mixture_of_their_moves") {
  constexpr int group = 40;
  constexpr double q = 0.25;
  GaussianMixture moves{.sigma = 2, .shifts = {}, .weights = {}};
  for (int j = 0; j <= group; ++j) {
    moves.shifts.push_back(j);
    moves.weights.push_back(std::exp(std::lgamma(group + 1.0) - std::lgamma(j + 1.0) - std::lgamma(group - j + 1.0)) *
                            std::pow(q, j) * std::pow(1 - q, group - j));
  }
  Composition records(Neighbours(Relation::add_remove, group)), mixture;
  records.add(poisson_sampled(Gaussian{.sigma = 2}, q));
  mixture.add(moves);
  for (const auto direction : {DirectionChoice::remove, DirectionChoice::add})
    for (const double at : {0.5, 10.0, 60.0, 150.0}) {
      const DeltaAnswer got = delta(records, {.epsilon = at, .direction = direction}),
                        want = delta(mixture, {.epsilon = at, .direction = direction});
      CAPTURE(at);
      if (want.upper == 0) continue;
      CHECK_REL(got.log_delta.lower, want.log_delta.lower, 1e-9);
      CHECK_REL(got.log_delta.upper, want.log_delta.upper, 1e-9);
    }
}

}  // namespace
}  // namespace pld::test
