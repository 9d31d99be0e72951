#include "pld/sampling/truncated_poisson.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "pairs/mixture_pair.hpp"
#include "pld/account/query.hpp"
#include "pld/mechanisms/discrete_laplace.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "pld/sampling/without_replacement.hpp"
#include "support/checks.hpp"

namespace pld::test {
namespace {

constexpr double a = 0.7, q = 0.4;

/// The law of a sum with noise of mass proportional to e^-a|x|, over a truncated sample of three records, from the
/// definition: every set that may be drawn, every way to keep some of it.
constexpr int reach = 40;
using Masses = std::array<double, 2 * reach + 1>;
Masses output(const std::vector<int>& records, int largest) {
  Masses masses{};
  const int n = static_cast<int>(records.size());
  for (int drawn = 0; drawn < 1 << n; ++drawn) {
    const int size = __builtin_popcount(static_cast<unsigned>(drawn)), kept = std::min(size, largest);
    std::vector<int> sums;
    for (int subset = 0; subset < 1 << n; ++subset) {
      if ((subset & ~drawn) != 0 || __builtin_popcount(static_cast<unsigned>(subset)) != kept) continue;
      int sum = 0;
      for (int i = 0; i < n; ++i) sum += (subset >> i & 1) * records[static_cast<std::size_t>(i)];
      sums.push_back(sum);
    }
    const double chance = std::pow(q, size) * std::pow(1 - q, n - size) / static_cast<double>(sums.size());
    for (const int sum : sums)
      for (int x = -reach; x <= reach; ++x)
        masses[static_cast<std::size_t>(x + reach)] += chance * std::tanh(a / 2) * std::exp(-a * std::abs(x - sum));
  }
  return masses;
}

double divergence(const Masses& p, const Masses& r, double epsilon) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += std::max(0.0, p[i] - std::exp(epsilon) * r[i]);
  return sum;
}

/// The neighbours of {other, third, record}.
std::vector<std::vector<int>> neighbours(Relation relation, int other, int third) {
  if (relation == Relation::add_remove) return {{other, third}};
  if (relation == Relation::zero_out) return {{other, third, 0}};
  return {{other, third, -1}, {other, third, 0}, {other, third, 1}};
}

TEST_CASE("sampling.truncated.interval_holds_for_all_data_sets_of_three_records") {
  for (const Relation relation : {Relation::add_remove, Relation::zero_out, Relation::replace_one}) {
    for (const int largest : {1, 2}) {
      for (const double epsilon : {0.0, 0.2, 0.6, -0.3}) {
        CAPTURE(name(relation));
        CAPTURE(largest);
        CAPTURE(epsilon);
        double worst = 0;
        for (const int other : {-1, 0, 1})
          for (const int third : {-1, 0, 1})
            for (const int record : {-1, 0, 1})
              for (const auto& without : neighbours(relation, other, third)) {
                const Masses with = output({other, third, record}, largest), changed = output(without, largest);
                worst = std::max({worst, divergence(with, changed, epsilon), divergence(changed, with, epsilon)});
              }
        Composition composition(relation);
        composition.add(truncated_poisson(DiscreteLaplace{.a = a}, {q, static_cast<double>(largest), 3}));
        const DeltaAnswer answer = delta(composition, {.epsilon = epsilon});
        CHECK(answer.upper >= worst - 1e-9);
        CHECK(answer.lower <= worst + 1e-9);
        CHECK(answer.upper <= 2.5 * worst + 0.05);
      }
    }
  }
}

TEST_CASE("sampling.truncated.bounds_of_groups_hold_for_all_data_sets_of_three_records") {
  const std::vector<int> values{-1, 0, 1};
  for (const Relation relation : {Relation::zero_out, Relation::replace_one}) {
    const std::vector<int> instead = relation == Relation::zero_out ? std::vector<int>{0} : values;
    for (const double epsilon : {0.0, 0.4, 1.2}) {
      CAPTURE(name(relation));
      CAPTURE(epsilon);
      double worst = 0;
      for (const int other : values)
        for (const int first : values)
          for (const int second : values)
            for (const int third : instead)
              for (const int fourth : instead) {
                const Masses with = output({other, first, second}, 2), changed = output({other, third, fourth}, 2);
                worst = std::max({worst, divergence(with, changed, epsilon), divergence(changed, with, epsilon)});
              }
      Composition composition(Neighbours(relation, 2));
      composition.add(truncated_poisson(DiscreteLaplace{.a = a}, {q, 2, 3}));
      const DeltaAnswer answer = delta(composition, {.epsilon = epsilon});
      CHECK(answer.upper >= worst - 1e-9);
      CHECK(answer.lower <= worst + 1e-9);
      CHECK(answer.upper < 1);
    }
  }
}

Composition steps(double sigma, const TruncatedSample& sample, std::int64_t count) {
  return Composition().add(truncated_poisson(Gaussian{.sigma = sigma}, sample), count);
}

// The table: dp_accounting 0.6.0's from_truncated_subsampled_gaussian_mechanism, whose second part is the looser pair
// of opposite values. With that part the same mixture gives the same numbers; with the one that is proved, less.
TEST_CASE("sampling.truncated.gaussian_steps") {
  const double rate = 0.02048, records = 50'000;
  struct Row {
    double largest, dp_accounting;
  };
  const double untruncated =
      epsilon(Composition().add(poisson_sampled(Gaussian{.sigma = 4}, rate), 10'000), {.delta = 1e-5}).upper;
  for (const auto& [largest, theirs] :
       {Row{1024, 6.87451}, Row{1056, 4.06910}, Row{1088, 2.45377}, Row{1120, 2.11659}, Row{1152, 2.09310}}) {
    CAPTURE(largest);
    const Answer answer = epsilon(steps(4, {rate, largest, records}, 10'000), {.delta = 1e-5});
    CHECK(!answer.exact);
    CHECK(answer.upper < theirs);
    CHECK(answer.upper > untruncated);
    CHECK(answer.lower < untruncated);
    CHECK(answer.lower > 0.98 * untruncated);
  }
}

TEST_CASE("sampling.truncated.mixture_with_opposite_values_gives_the_published_numbers") {
  // P(Bin(49999, .02048) >= 1024) and 1024 P(Bin(50000, .02048) > 1024) / 50000 over it, by SciPy's binom.sf.
  const double full = 0.5040269145125302, share = 0.019978688568855943;
  const PairPtr open = poisson_sampled(Gaussian{.sigma = 4}, 0.02048).pair(Direction::remove);
  const PairPtr opposite =
      poisson_sampled(Gaussian{.sigma = 2}, share).under(Relation::replace_one).pair(Direction::remove);
  const auto mixture = std::make_shared<MixturePair>(
      std::vector<MixturePair::Part>{{std::log1p(-full), open}, {std::log(full), opposite}});
  const Answer answer = epsilon(Composition().add(Mechanism("mixture", mixture, mixture), 10'000),
                                {.delta = 1e-5, .direction = DirectionChoice::remove});
  CHECK(std::fabs(answer.upper - 6.87451) <= 0.002);  // theirs is read off a grid of 1e-4, composed by rounding up
}

TEST_CASE("sampling.truncated.edges") {
  const auto at = [](const Composition& composition) { return epsilon(composition, {.delta = 1e-5}); };
  const Answer never = at(steps(1, {0.1, 100, 100}, 10));
  CHECK(never.exact);
  CHECK(never.upper == at(Composition().add(poisson_sampled(Gaussian{}, 0.1), 10)).upper);
  const Answer all = at(steps(1, {1, 10, 100}, 10));  // every record is drawn: a batch without replacement
  const double drawn = at(Composition().add(without_replacement(Gaussian{}, 0.1), 10)).upper;
  CHECK(std::fabs(all.upper / drawn - 1) < 1e-3);
  CHECK(all.upper >= drawn * (1 - 1e-4));
  CHECK(at(steps(1, {0, 10, 100}, 10)).upper <= 0);
  CHECK_THROWS_AS(steps(1, {0.1, 0, 100}, 1), DomainError);
  CHECK_THROWS_AS(steps(1, {0.1, 1.5, 100}, 1), DomainError);
  CHECK_THROWS_AS(steps(1, {1.1, 10, 100}, 1), DomainError);
  CHECK_THROWS_AS(truncated_poisson(poisson_sampled(Gaussian{}, 0.1), {0.1, 10, 100}), MissingTheorem);
}

}  // namespace
}  // namespace pld::test
