#include "pld/sampling/shuffled.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "pld/account/query.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/mechanisms/randomized_response.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "pld/sampling/without_replacement.hpp"
#include "sampling/shuffled_maximum_pair.hpp"
#include "support/checks.hpp"
#include "support/pair_checks.hpp"

namespace pld::test {
namespace {

/// The two laws of the largest output from their distribution functions, with the loss by their derivatives.
Law largest_output_law(const Real& p, const Real& q, int batches) {
  const auto cdf = [](const Real& x) { return normal_interval(-real_infinity(), x); };
  const auto density = [](const Real& x) { return Real(exp(-x * x / 2)); };
  const auto slope = [=](const Real& x, const Real& s) {
    return Real(density(x - s) * cdf(x) + (batches - 1) * cdf(x - s) * density(x));
  };
  const auto outcome = [=](const Real& loss) {
    if (abs(loss) == real_infinity()) return loss;
    const auto miss = [&](const Real& x) { return Real(log(slope(x, p) / slope(x, q)) - loss); };
    Real low = -40, high = 60;
    for (int i = 0; i < 24; ++i) {
      const Real middle = (low + high) / 2;
      (miss(middle) > 0 ? high : low) = middle;
    }
    Real at_low = miss(low), at_high = miss(high);  // then by secants
    for (int i = 0; i < 8 && at_high != at_low; ++i) {
      const Real next = high - at_high * (high - low) / (at_high - at_low);
      low = high, at_low = at_high;
      high = next, at_high = miss(next);
    }
    return high;
  };
  const auto mass = [=](const Real& a, const Real& b, const Real& s) {
    const auto below = [=](const Real& x) {
      return x == real_infinity() ? Real(1) : Real(cdf(x - s) * pow(cdf(x), batches - 1));
    };
    if (a == -real_infinity()) return below(b);
    // Far right, where both are next to 1, what is above them.
    const auto above = [=](const Real& x) {
      return x == real_infinity() ? Real(0)
                                  : Real(-expm1(log1p(-normal_interval(x - s, real_infinity())) +
                                                (batches - 1) * log1p(-normal_interval(x, real_infinity()))));
    };
    return below(a) > 0.5 ? Real(above(a) - above(b)) : Real(below(b) - below(a));
  };
  return [=](const Real& low, const Real& high) {
    const Real a = outcome(low), b = outcome(high);
    return Masses{mass(a, b, p), mass(a, b, q)};
  };
}

TEST_CASE("sampling.shuffled.largest_output_matches_50_digits") {
  struct Case {
    double p, q;
    int batches;
  };
  for (const auto& [p, q, batches] : {Case{5, 2.5, 10'000}, Case{100, 50, 30}}) {
    CAPTURE(p);
    CAPTURE(batches);
    const ShuffledMaximumPair pair(p, q, batches);
    const Law law = largest_output_law(p, q, batches);
    std::vector<double> edges;
    for (const double x : {-1e-3, 0.01, 0.5, 1.7, 4.0}) edges.push_back(x * p * p / 2);
    edges.insert(edges.begin(), -p * p / 5);
    check_density(pair, law, edges);
    check_tails(pair, law, std::vector<double>{edges[0], edges[3], edges[5]});
    check_total(pair, pair.outline(), 1e-12);
  }
}

Composition epochs_of(const Mechanism& base, double batches, std::int64_t epochs,
                      Relation relation = Relation::zero_out) {
  return Composition(relation).add(shuffled(base, batches), epochs);
}

// From a grid of the largest output's distribution functions in another program, composed there.
TEST_CASE("sampling.shuffled.bounds_of_the_table") {
  struct Row {
    double sigma, batches;
    std::int64_t epochs;
    double delta, least, most;
  };
  for (const auto& [sigma, batches, epochs, delta, least, most] :
       {Row{1, 195, 30, 1e-5, 12.24, 37.62}, Row{0.8, 200, 10, 1e-6, 17.54, 25.95},
        Row{0.5, 1000, 10, 1e-6, 46.9, 49.3}}) {
    CAPTURE(sigma);
    const Answer answer = epsilon(epochs_of(Gaussian{.sigma = sigma}, batches, epochs), {.delta = delta});
    CHECK(!answer.exact);
    CHECK(std::fabs(answer.lower - least) <= (least > 20 ? 0.05 : 0.0051));
    CHECK(std::fabs(answer.upper - most) <= (most > 40 ? 0.05 : 0.0051));
  }
}

// Chua, Ghazi, Kamath et al. 2024, section 1: delta(4) is at least .226 where Poisson samples would have 1.18e-5.
TEST_CASE("sampling.shuffled.published_delta") {
  const DeltaAnswer answer = delta(epochs_of(Gaussian{.sigma = 0.4}, 10'000, 1), {.epsilon = 4});
  CHECK(std::fabs(answer.lower - 0.226) <= 5e-4);
  CHECK(answer.upper > answer.lower);
}

/// H_{e^epsilon} of two batches' outputs in full, the record in either with chance 1/2: moved by `p` and by `q`.
double divergence_of_two_batches(double p, double q, double epsilon) {
  constexpr double step = 1.0 / 32;
  const auto mixed = [](double x, double y, double s) {
    return std::exp(s * x - s * s / 2) + std::exp(s * y - s * s / 2);
  };
  double sum = 0;
  for (double x = -9; x <= 14; x += step)
    for (double y = -9; y <= 14; y += step)
      sum += std::exp(-(x * x + y * y) / 2) * std::max(0.0, mixed(x, y, p) - std::exp(epsilon) * mixed(x, y, q));
  return sum * step * step / (4 * M_PI);
}

TEST_CASE("sampling.shuffled.interval_holds_what_two_batches_tell") {
  constexpr double error_of_rule = 1e-4;  // step^2 times a twelfth of the kinks' slopes
  for (const Relation relation : {Relation::zero_out, Relation::replace_one}) {
    for (const double epsilon : {0.1, 0.7, 1.5}) {
      CAPTURE(epsilon);
      const double mu = 1 / 1.3, q = relation == Relation::zero_out ? mu : 0;
      for (const DirectionChoice direction : {DirectionChoice::remove, DirectionChoice::add}) {
        const bool removing = direction == DirectionChoice::remove;
        const double truth =
            removing ? divergence_of_two_batches(2 * mu, q, epsilon) : divergence_of_two_batches(q, 2 * mu, epsilon);
        const DeltaAnswer answer =
            delta(epochs_of(Gaussian{.sigma = 1.3}, 2, 1, relation), {.epsilon = epsilon, .direction = direction});
        CHECK(answer.lower <= truth + error_of_rule);
        CHECK(answer.lower >= truth / 2);
        CHECK(answer.upper >= truth - error_of_rule);
      }
    }
  }
}

/// Two records, two batches of one, `epochs` epochs of randomized response: the chance of an outcome of one epoch.
double chance(int outcome, int record, int other, double truthful) {
  const auto answer = [&](int bit, int of) { return bit == of ? truthful : 1 - truthful; };
  const int first = outcome & 1, second = outcome >> 1;
  return (answer(first, record) * answer(second, other) + answer(first, other) * answer(second, record)) / 2;
}

TEST_CASE("sampling.shuffled.upper_bound_holds_for_all_data_sets_of_two_records") {
  const double truthful = 0.8;
  const Mechanism response = RandomizedResponse{.p = truthful};
  for (const double epsilon : {0.2, 1.0, 2.0}) {
    for (const int other : {0, 1}) {
      double worst = 0;
      for (int first = 0; first < 4; ++first)
        for (int second = 0; second < 4; ++second)
          worst += std::max(
              0.0, chance(first, 1, other, truthful) * chance(second, 1, other, truthful) -
                       std::exp(epsilon) * chance(first, 0, other, truthful) * chance(second, 0, other, truthful));
      const DeltaAnswer answer = delta(epochs_of(response, 2, 2, Relation::replace_one), {.epsilon = epsilon});
      CHECK(answer.upper >= worst);
      CHECK(answer.lower <= worst);
    }
  }
}

TEST_CASE("sampling.shuffled.one_batch_is_the_release") {
  const Answer shuffled_once = epsilon(epochs_of(Gaussian{.sigma = 2}, 1, 3), {});
  const Answer plain = epsilon(Composition(Relation::zero_out).add(Gaussian{.sigma = 2}, 3), {});
  CHECK(shuffled_once.exact);
  CHECK(shuffled_once.upper == plain.upper);
}

TEST_CASE("sampling.shuffled.below a bounded sensitivity is what is attained") {
  const auto below = [](const Mechanism& noise) {
    return attained_law(shuffled(noise, 7).under(Relation::zero_out).law())->remove->above(1).log_mass;
  };
  CHECK(below(BoundedGaussian{.sigma = 4, .sensitivity = 3, .attained = 2}) ==
        below(Gaussian{.sigma = 4, .sensitivity = 2}));
}

TEST_CASE("sampling.shuffled.nothing_is_known_below_other_noise") {
  const Answer answer = epsilon(epochs_of(Laplace{.scale = 2}, 10, 3), {});
  CHECK(answer.lower == -infinity);
  CHECK(answer.upper == epsilon(Composition(Relation::zero_out).add(Laplace{.scale = 2}, 3), {}).upper);
}

TEST_CASE("sampling.shuffled.refusals") {
  CHECK_THROWS_WITH_AS(epochs_of(Gaussian{}, 2, 1, Relation::add_remove),
                       doctest::Contains("zero-out or replace-one: without a record"), MissingTheorem);
  CHECK_THROWS_AS(shuffled(Gaussian{}, 0), DomainError);
  CHECK_THROWS_AS(shuffled(Gaussian{}, 2.5), DomainError);
  CHECK_THROWS_AS(shuffled(poisson_sampled(Gaussian{}, 0.5), 2), MissingTheorem);
  CHECK_THROWS_AS(poisson_sampled(shuffled(Gaussian{}, 2), 0.5), MissingTheorem);
  CHECK_THROWS_AS(without_replacement(shuffled(Gaussian{}, 2), 0.5), MissingTheorem);
}

}  // namespace
}  // namespace pld::test
