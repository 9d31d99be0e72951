#include "sampling/zeroed_pair.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "pairs/least_renyi.hpp"
#include "pld/account/composition.hpp"
#include "pld/account/query.hpp"
#include "pld/mechanisms/discrete_gaussian.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/generalized_gaussian.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/mechanisms/logistic.hpp"
#include "pld/mechanisms/selection.hpp"
#include "pld/mechanisms/sinh_normal.hpp"
#include "pld/mechanisms/truncated_laplace.hpp"
#include "pld/sampling/without_replacement.hpp"
#include "support/location_law.hpp"
#include "support/pair_checks.hpp"
#include "support/random_draws.hpp"

namespace pld::test {
namespace {

/// The law of (1-q) X + q (X + 2 s) against (1-q) X + q (X + s) from the definitions, of outcomes above 3 s / 2, where
/// its loss rises.
Law gains_law(const Noise50& noise, const Real& s, const Real& q) {
  const auto outcome = [=](const Real& loss) {
    const Real low = 3 * s / 2;
    Real high = low + 1;
    if (loss <= 0) return low;
    const auto at = [&](const Real& x) {
      return Real(sampled_loss50(noise, q, 2 * s, x) - sampled_loss50(noise, q, s, x));
    };
    while (at(high) <= loss && high < 1e6) high = 2 * high;
    return high > 1e6 ? real_infinity() : outcome_between(at, loss, low, high);
  };
  return [=](const Real& low, const Real& high) {
    const Real a = outcome(low), b = outcome(high), of_others = (1 - q) * noise.interval(a, b);
    return Masses{of_others + q * noise.interval(a - 2 * s, b - 2 * s), of_others + q * noise.interval(a - s, b - s)};
  };
}

TEST_CASE("sampling.zeroed.gains_match_50_digits") {
  struct Case {
    Mechanism mechanism;
    Noise50 noise;
    double s;
  };
  const Case cases[] = {{Gaussian{.sigma = 0.25}, normal50(), 4},
                        {Gaussian{.sigma = 32}, normal50(), 1.0 / 32},
                        {Laplace{.scale = 2}, laplace50(), 0.5},
                        {Logistic{.scale = 0.5}, logistic50(), 2},
                        {GeneralizedGaussian{.shape = 1.5, .scale = 2}, generalized50(1.5), 0.5},
                        {SinhNormal{.sigma = 1, .a = 4}, sinh_normal50(4), 1}};
  for (const auto& [mechanism, noise, s] : cases) {
    const auto family = mechanism.pair(Direction::remove)->location_family();
    REQUIRE(family);
    for (const double q : {1e-7, 0.3}) {
      CAPTURE(mechanism.text());
      CAPTURE(q);
      const ZeroedPair pair(*family, q);
      const Law law = gains_law(noise, s, q);
      const double reach = std::min(0.9 * pair.range().highest, 30 * q * std::expm1(std::min(5.0, s)));
      check_density(pair, law, even_edges(0, reach, 3));
      check_tails(pair, law, std::vector<double>{reach / 7, reach});
    }
  }
}

TEST_CASE("sampling.zeroed.nothing_is_lost_at_the_seam") {
  for (const Mechanism& mechanism : {Mechanism(Gaussian{.sigma = 0.1}), Mechanism(Gaussian{.sigma = 1e5}),
                                     Mechanism(Laplace{.scale = 3}), Mechanism(Logistic{.scale = 0.5})}) {
    const auto family = *mechanism.pair(Direction::remove)->location_family();
    for (const double q : {1e-6, 0.125, 0.75}) {
      CAPTURE(mechanism.text());
      CAPTURE(q);
      for (const Direction direction : {Direction::remove, Direction::add}) {
        for (const PairPtr& pair : {zeroed_pair(family, q, direction), zeroed_among_opposite(family, q, direction)}) {
          check_total(*pair, pair->outline(), 1e-12);
          for (const double z : {-0.9, -0.05, 0.0, 0.02, 0.4})
            check_total(*pair, std::vector{pair->below(z), pair->above(z)}, 1e-13);
        }
      }
    }
  }
}

/// H_g of two mixtures of noise about some centres, by the midpoint rule.
struct Mixtures {
  std::vector<double> p, q;  ///< centres, all alike
  double (*density)(double);
};
constexpr double step = 1.0 / 128, error_of_rule = step * step;
double divergence(const Mixtures& laws, double g) {
  const auto mixed = [&](const std::vector<double>& centres, double x) {
    double sum = 0;
    for (const double centre : centres) sum += laws.density(x - centre);
    return sum / static_cast<double>(centres.size());
  };
  double sum = 0;
  for (double x = -28 + step / 2; x < 28; x += step) sum += std::max(0.0, mixed(laws.p, x) - g * mixed(laws.q, x));
  return sum * step;
}

/// All batches of `size` of these values, with the first record and with it zeroed.
Mixtures of_all_batches(const std::vector<double>& values, int size, double (*density)(double)) {
  Mixtures laws{{}, {}, density};
  for (unsigned batch = 0; batch < 1U << values.size(); ++batch) {
    if (__builtin_popcount(batch) != size) continue;
    double sum = 0, zeroed = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (batch >> i & 1) sum += values[i], zeroed += i == 0 ? 0 : values[i];
    laws.p.push_back(sum), laws.q.push_back(zeroed);
  }
  return laws;
}

TEST_CASE("sampling.zeroed.no_data_set_loses_more_and_some_lose_as_much") {
  struct Case {
    Mechanism mechanism;
    double (*density)(double);
    double s;
  };
  const Case cases[] = {{Gaussian{.sigma = 1}, [](double x) { return std::exp(-x * x / 2) / std::sqrt(2 * M_PI); }, 1},
                        {Laplace{.scale = 0.5}, [](double x) { return std::exp(-std::fabs(x)) / 2; }, 2}};
  Random random(20261130);
  for (const auto& [mechanism, density, s] : cases) {
    for (const auto& [records, size] : {std::pair{2, 1}, {3, 1}, {3, 2}, {4, 3}}) {
      Composition run(Relation::zero_out);
      run.add(without_replacement(mechanism, static_cast<double>(size) / records));
      std::vector<std::vector<double>> data;
      for (int i = 0; i < 6; ++i) {
        data.emplace_back();
        for (int k = 0; k < records; ++k) data.back().push_back(random.uniform(-s, s));
      }
      for (const double others : {-s, 0.0, s}) {
        data.emplace_back(records, others);
        data.back().front() = s;
      }
      for (const auto& [direction, from] : {std::pair{DirectionChoice::remove, 0}, {DirectionChoice::add, 1}}) {
        for (const double epsilon : {-0.7, -0.1, 0.0, 0.05, 0.4, 1.1}) {
          CAPTURE(mechanism.text());
          CAPTURE(records);
          CAPTURE(size);
          CAPTURE(from);
          CAPTURE(epsilon);
          double worst = 0;
          for (const auto& values : data) {
            Mixtures laws = of_all_batches(values, size, density);
            if (from == 1) std::swap(laws.p, laws.q);
            worst = std::max(worst, divergence(laws, std::exp(epsilon)));
          }
          const DeltaAnswer answer = delta(run, {.epsilon = epsilon, .direction = direction});
          CHECK(answer.exact);
          CHECK(worst <= answer.upper + error_of_rule);
          CHECK(worst >= answer.lower - error_of_rule);
        }
      }
    }
  }
}

TEST_CASE("sampling.zeroed.lower_end_is_what_opposite_others_lose_in_two_releases") {
  // P and Q of two batches over pairs of outcomes.
  constexpr double q = 0.25, sigma = 2;
  const auto density = [](double x) { return std::exp(-x * x / (2 * sigma * sigma)) / (sigma * std::sqrt(2 * M_PI)); };
  constexpr double width = 1.0 / 16;
  std::vector<double> p, other;
  for (double x = -18 + width / 2; x < 20; x += width) {
    p.push_back((1 - q) * density(x) + q * density(x - 2));
    other.push_back((1 - q) * density(x) + q * density(x - 1));
  }
  const Composition run = Composition(Relation::zero_out).add(without_replacement(Gaussian{.sigma = sigma}, q), 2);
  for (const double epsilon : {0.0, 0.1, 0.3}) {
    CAPTURE(epsilon);
    double exact = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
      for (std::size_t j = 0; j < p.size(); ++j)
        exact += std::max(0.0, p[i] * p[j] - std::exp(epsilon) * other[i] * other[j]) * width * width;
    const DeltaAnswer answer = delta(run, {.epsilon = epsilon});
    CHECK(!answer.exact);
    CHECK(answer.lower <= exact * (1 + 1e-5));
    CHECK(answer.lower >= exact * 0.97);
    CHECK(answer.upper >= exact);
    CHECK(answer.upper <= exact * 1.25);
  }
}

TEST_CASE("sampling.zeroed.rare_records_and_quiet_noise_are_as_narrow_as_asked") {
  // The loss at the seam is a difference of two of s^2, in which a rare record's is lost; nothing of it is below 0.
  for (const double sigma : {0.01, 0.1, 100.0}) {
    for (const double q : {1e-9, 1e-40, 1e-290}) {
      const Composition run = Composition(Relation::zero_out).add(without_replacement(Gaussian{.sigma = sigma}, q));
      const double variation = q * std::erf(1 / (sigma * std::sqrt(8.0)));
      for (const DirectionChoice direction : {DirectionChoice::remove, DirectionChoice::add}) {
        CAPTURE(sigma);
        CAPTURE(q);
        CAPTURE(direction == DirectionChoice::add);
        const DeltaAnswer answer = delta(run, {.epsilon = 0, .direction = direction});
        CHECK(answer.lower <= variation * (1 + 1e-12));
        CHECK(answer.lower >= variation * (1 - 1e-3));
        CHECK(answer.upper >= variation * (1 - 1e-12));
        CHECK(answer.upper <= variation * (1 + 1e-3));
        // So far out there is nothing but what e^-epsilon leaves.
        const DeltaAnswer far = delta(run, {.epsilon = -1e-3, .direction = direction});
        const double certain = -std::expm1(-1e-3);
        CHECK(far.lower <= certain + variation);
        CHECK(far.upper >= certain);
        CHECK(far.upper <= (certain + variation) * (1 + 1e-3));
      }
    }
  }
}

TEST_CASE("sampling.zeroed.moments_are_between_their_bounds") {
  // E_Q e^(order loss) of outcomes beyond one, by the midpoint rule. What the pair has at losses of 0 and below adds 1
  // at most.
  const auto density = [](double x) { return std::exp(-x * x / 2) / std::sqrt(2 * M_PI); };
  for (const double s : {0.5, 1.0, 2.0}) {
    const auto family = *Mechanism(Gaussian{.sigma = 1 / s}).pair(Direction::remove)->location_family();
    for (const double q : {1e-3, 0.3}) {
      const auto mixed = [=](double x, double d) { return (1 - q) * density(x) + q * density(x - d); };
      const ZeroedPair gains(family, q);
      for (const double order : {1.5, 2.0, 8.0}) {
        CAPTURE(s);
        CAPTURE(q);
        CAPTURE(order);
        const auto log_moment = [=](double from) {
          double sum = 0;
          for (double x = from + step / 2; x < 14 + (order + 2) * s; x += step)
            sum += step * std::exp(order * std::log(mixed(x, 2 * s)) + (1 - order) * std::log(mixed(x, s)));
          return std::log(sum);
        };
        const double at = 2 * s + 0.25, loss = std::log(mixed(at, 2 * s) / mixed(at, s));
        const double bound = gains.log_tail_moment(order, loss), exact = log_moment(at);
        CHECK(bound >= exact - error_of_rule);
        CHECK(bound <= exact + order);
        const double whole = std::log1p(std::exp(log_moment(1.5 * s)));
        CHECK(least_renyi(*zeroed_pair(family, q, Direction::remove), order) <= whole / (order - 1) + error_of_rule);
      }
    }
  }
}

TEST_CASE("sampling.zeroed.only_where_the_proof_holds") {
  const auto batch = [](const Mechanism& mechanism) {
    return without_replacement(mechanism, 0.25).under(Relation::zero_out).law();
  };
  CHECK(batch(Gaussian{}).kind.attained == Attainment::alone);
  CHECK(batch(Gaussian{}).text == "gaussian:sigma=1,wor=0.25");
  for (const Mechanism& mechanism :
       {Mechanism(TruncatedLaplace{.scale = 1, .bound = 9}), Mechanism(DiscreteGaussian{.sigma = 1}),
        Mechanism(BoundedGaussian{.sigma = 1, .attained = 0.5}), Mechanism(PermuteAndFlip{.epsilon = 1})}) {
    CAPTURE(mechanism.text());
    CHECK(batch(mechanism).kind.attained == Attainment::nowhere);
    CHECK(batch(mechanism).below);
  }
  // What only half of the sensitivity is attained of loses at least as much as that half does.
  CHECK(
      delta(
          Composition(Relation::zero_out).add(without_replacement(BoundedGaussian{.sigma = 1, .attained = 0.5}, 0.25)),
          {.epsilon = 0.1})
          .lower <=
      delta(Composition(Relation::zero_out).add(without_replacement(Gaussian{.sigma = 2}, 0.25)), {.epsilon = 0.1})
          .upper);
}

}  // namespace
}  // namespace pld::test
