#include "pld/sampling/truncated_poisson.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "pairs/mixture_pair.hpp"
#include "pld/account/query.hpp"
#include "pld/mechanisms/discrete_laplace.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "pld/sampling/without_replacement.hpp"
#include "support/checks.hpp"

namespace pld::test {
namespace {

constexpr double a = 0.7, usual_rate = 0.4;

/// The law of a sum with noise of mass proportional to e^-a|x|, over a truncated sample of three records, from the
/// definition: every set that may be drawn, every way to keep some of it.
constexpr int reach = 40;
using Masses = std::array<double, 2 * reach + 1>;
Masses output(const std::vector<int>& records, int largest, double q = usual_rate) {
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

/// What a data set may have in place of its last record.
std::vector<std::vector<int>> neighbours(Relation relation, std::vector<int> data) {
  data.pop_back();
  if (relation == Relation::add_remove) return {data};
  std::vector<std::vector<int>> all;
  for (const int value : relation == Relation::zero_out ? std::vector<int>{0} : std::vector<int>{-1, 0, 1}) {
    all.push_back(data);
    all.back().push_back(value);
  }
  return all;
}

/// All data sets of so many records, each -1, 0 or 1.
std::vector<std::vector<int>> data_sets(int records) {
  std::vector<std::vector<int>> all{{}};
  for (int i = 0; i < records; ++i) {
    std::vector<std::vector<int>> longer;
    for (const auto& data : all)
      for (const int value : {-1, 0, 1}) {
        longer.push_back(data);
        longer.back().push_back(value);
      }
    all = std::move(longer);
  }
  return all;
}

/// The worst, both ways, of neighbours of which the larger has so many records.
double worst_delta(Relation relation, int records, int largest, double q, double epsilon) {
  double worst = 0;
  for (const auto& data : data_sets(records))
    for (const auto& other : neighbours(relation, data)) {
      const Masses with = output(data, largest, q), changed = output(other, largest, q);
      worst = std::max({worst, divergence(with, changed, epsilon), divergence(changed, with, epsilon)});
    }
  return worst;
}

// Under add-remove somebody's neighbours have a record less, or one more.
TEST_CASE("sampling.truncated.interval_holds_for_all_data_sets_of_three_records") {
  const std::vector<std::pair<double, int>> settings{{0.4, 1}, {0.4, 2}, {0.4, 3}, {0.9, 2},
                                                     {0.9, 3}, {1, 3},   {0.9, 4}};
  for (const Relation relation : {Relation::add_remove, Relation::zero_out, Relation::replace_one}) {
    for (const auto& [q, largest] : settings) {
      for (const double epsilon : {0.0, 0.2, 0.6, -0.3}) {
        CAPTURE(name(relation));
        CAPTURE(q);
        CAPTURE(largest);
        CAPTURE(epsilon);
        double worst = worst_delta(relation, 3, largest, q, epsilon);
        if (relation == Relation::add_remove) worst = std::max(worst, worst_delta(relation, 4, largest, q, epsilon));
        Composition composition(relation);
        composition.add(truncated_poisson(DiscreteLaplace{.a = a}, {q, static_cast<double>(largest), 3}));
        const DeltaAnswer answer = delta(composition, {.epsilon = epsilon});
        CHECK(answer.upper >= worst - 1e-9);
        CHECK(answer.lower <= worst + 1e-9);
        if (q == usual_rate) CHECK(answer.upper <= 2.5 * worst + 0.05);
        CHECK((!answer.exact || answer.upper <= worst + 1e-9));
      }
    }
  }
}

// Records at -1 and, in the neighbour, one more at +1, where only one is kept: (N(0) + N(2)) / 2 against N(0), of which
// SciPy has the epsilon. The upper end is that of a batch without replacement, the whole of which may change.
TEST_CASE("sampling.truncated.a_neighbour_with_one_record_more_is_counted") {
  const auto at = [](double largest, double records) {
    return epsilon(Composition().add(truncated_poisson(Gaussian{.sigma = 2}, {1, largest, records})), {.delta = 1e-5});
  };
  CHECK(!at(1, 1).exact);
  CHECK(at(1, 1).upper >= 3.533997985);
  CHECK(at(256, 256).upper >= at(256, 257).upper);
  CHECK(at(2, 1).exact);
  for (const double records : {1.0, 3.0, 40.0, 399.0, 1000.0})
    for (const double largest : {1.0, 3.0, 40.0, 256.0, 399.0}) {  // what a neighbour of one record more is told
      CAPTURE(records);
      CAPTURE(largest);
      CHECK(at(largest, records).upper >= at(largest, records + 1).lower);
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
      composition.add(truncated_poisson(DiscreteLaplace{.a = a}, {usual_rate, 2, 3}));
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

// (1-q) N(0) + q N(1) against N(0) has losses beyond what a batch of ten out of a hundred has; it weighs P(Bin(99, .9)
// < 10) = 6.78e-79 by SciPy.
TEST_CASE("sampling.truncated.a_batch_that_is_hardly_ever_open_is_counted") {
  const Composition run =
      Composition(Relation::zero_out).add(truncated_poisson(DiscreteLaplace{.a = 0.5}, {0.9, 10, 100}));
  const double loss = 0.4, ratio = 0.1 + 0.9 * std::exp(0.5);
  const double least = 6.7e-79 * (ratio - std::exp(loss)) * std::exp(-0.5) / (1 + std::exp(-0.5));
  CHECK(delta(run.of_pairs(), {.epsilon = loss}).upper >= least);
}

TEST_CASE("sampling.truncated.edges") {
  const auto at = [](const Composition& composition) { return epsilon(composition, {.delta = 1e-5}); };
  const Answer never = at(steps(1, {0.1, 101, 100}, 10));
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
