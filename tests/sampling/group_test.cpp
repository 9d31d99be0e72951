#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "pld/pld.hpp"
#include "pld/sampling/truncated_poisson.hpp"
#include "support/checks.hpp"

// Groups on Poisson samples, from the definitions: every value that each record of the group may have, beside another
// record, on a few whole numbers whose noise is summed far out.

namespace {

using namespace pld;

constexpr int far = 90;  // the noise beyond has less than 1e-16
using Masses = std::vector<double>;
using Noise = double (*)(int);

double two_sided_geometric(int x) {
  const double r = std::exp(-0.6);
  return (1 - r) / (1 + r) * std::pow(r, std::abs(x));
}
double discrete_gaussian(int x) {
  static const double all = [] {
    double sum = 0;
    for (int i = -far; i <= far; ++i) sum += std::exp(-i * i / 8.0);
    return sum;
  }();
  return std::exp(-x * x / 8.0) / all;
}

/// The output where each of these values takes part with probability q.
Masses output(const std::vector<int>& values, double q, Noise noise) {
  Masses masses(2 * far + 1);
  const auto n = static_cast<unsigned>(values.size());
  for (unsigned subset = 0; subset < 1U << n; ++subset) {
    int sum = 0;
    double weight = 1;
    for (unsigned i = 0; i < n; ++i) {
      const bool drawn = (subset >> i & 1U) != 0;
      weight *= drawn ? q : 1 - q;
      if (drawn) sum += values[i];
    }
    for (int x = -far; x <= far; ++x) masses[static_cast<std::size_t>(x + far)] += weight * noise(x - sum);
  }
  return masses;
}

double divergence(const Masses& p, const Masses& q, double epsilon) {
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) sum += std::max(0.0, p[i] - std::exp(epsilon) * q[i]);
  return sum;
}

/// Every list of k values among these.
std::vector<std::vector<int>> lists(int k, const std::vector<int>& values) {
  std::vector<std::vector<int>> all{{}};
  for (int i = 0; i < k; ++i) {
    std::vector<std::vector<int>> longer;
    for (const auto& list : all)
      for (const int value : values) {
        longer.push_back(list);
        longer.back().push_back(value);
      }
    all = std::move(longer);
  }
  return all;
}

std::vector<int> joined(std::vector<int> a, const std::vector<int>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

TEST_CASE("sampling.group.enumerated: no group loses more, and one loses it") {
  const struct {
    Mechanism mechanism;
    Noise noise;
  } cases[] = {{DiscreteLaplace{.a = 0.6}, two_sided_geometric}, {DiscreteGaussian{.sigma = 2}, discrete_gaussian}};
  for (const auto& [mechanism, noise] : cases) {
    for (const int k : {2, 3}) {
      for (const double q : {0.1, 0.7}) {
        for (const double epsilon : {0.0, 0.2, 0.9, -0.4}) {
          CAPTURE(mechanism.text());
          CAPTURE(k);
          CAPTURE(q);
          CAPTURE(epsilon);
          double removed = 0, added = 0, replaced = 0;
          for (const int other : {-1, 1}) {
            const Masses without = output({other}, q, noise);
            for (const auto& group : lists(k, {-1, 0, 1})) {
              const Masses with = output(joined(group, {other}), q, noise);
              removed = std::max(removed, divergence(with, without, epsilon));
              added = std::max(added, divergence(without, with, epsilon));
              if (k > 2) continue;
              for (const auto& instead : lists(k, {-1, 1}))
                replaced = std::max(replaced, divergence(with, output(joined(instead, {other}), q, noise), epsilon));
            }
          }
          // Among others that contribute nothing.
          const std::vector<int> up(static_cast<std::size_t>(k), 1), down(static_cast<std::size_t>(k), -1);
          const Masses nothing = output({}, q, noise);
          const auto answer = [&](Relation relation, DirectionChoice direction) {
            Composition run(Neighbours(relation, k));
            run.add(poisson_sampled(mechanism, q));
            CHECK(run.is_exact());
            return delta(run, {.epsilon = epsilon, .tolerance = 1e-6, .direction = direction});
          };
          const auto check = [&](const DeltaAnswer& found, double most, double attained) {
            CHECK(most <= found.upper + 1e-13);
            CHECK(attained >= found.lower - 1e-13);
            CHECK(found.width() <= 2e-6 * found.upper);
          };
          check(answer(Relation::add_remove, DirectionChoice::remove), removed,
                divergence(output(up, q, noise), nothing, epsilon));
          check(answer(Relation::zero_out, DirectionChoice::add), added,
                divergence(nothing, output(up, q, noise), epsilon));
          check(answer(Relation::replace_one, DirectionChoice::worst), replaced,
                divergence(output(up, q, noise), output(down, q, noise), epsilon));
        }
      }
    }
  }
}

namespace {

using Real = boost::multiprecision::cpp_bin_float_50;

Real normal_tail(const Real& x) { return erfc(x / sqrt(Real(2))) / 2; }

/// delta of one release of Gaussian noise from the definition, in 50 digits: the outcomes above one have the loss.
Real gaussian_group_delta(double sigma, double q, int k, bool replaced, double epsilon) {
  const auto chance = [&](int j) {
    Real c = 1;
    for (int i = 0; i < j; ++i) c = c * (k - i) / (i + 1);
    return Real(c * pow(Real(q), j) * pow(1 - Real(q), k - j));
  };
  const Real mu = 1 / Real(sigma);
  const auto sum = [&](const auto& term) {
    Real all = 0;
    for (int j = 0; j <= k; ++j) all += chance(j) * term(j);
    return all;
  };
  const auto ratio = [&](const Real& x, int sign) {
    return sum([&](int j) { return Real(exp(sign * j * mu * x - j * mu * j * mu / 2)); });
  };
  const auto loss = [&](const Real& x) { return Real(log(ratio(x, 1)) - (replaced ? log(ratio(x, -1)) : Real(0))); };
  Real low = -200, high = 200;
  for (int i = 0; i < 180; ++i) {
    const Real middle = (low + high) / 2;
    (loss(middle) > epsilon ? high : low) = middle;
  }
  const Real p = sum([&](int j) { return normal_tail(high - j * mu); });
  const Real other = replaced ? sum([&](int j) { return normal_tail(high + j * mu); }) : normal_tail(high);
  return p - exp(Real(epsilon)) * other;
}

}  // namespace

TEST_CASE("sampling.group.gaussian: one release in 50 digits") {
  const struct {
    double sigma, q;
    int k;
    double epsilon;
  } cases[] = {{1, 0.01, 2, 0.5}, {0.5, 1e-3, 3, 4}, {2, 0.4, 7, 1}, {30, 1e-4, 2, 1e-6}, {1, 0.3, 40, 12}};
  for (const auto& [sigma, q, k, epsilon] : cases) {
    for (const Relation relation : {Relation::add_remove, Relation::replace_one}) {
      CAPTURE(sigma);
      CAPTURE(k);
      Composition run(Neighbours(relation, k));
      run.add(poisson_sampled(Gaussian{.sigma = sigma}, q));
      const auto found = delta(run, {.epsilon = epsilon, .direction = DirectionChoice::remove});
      const auto truth =
          static_cast<double>(gaussian_group_delta(sigma, q, k, relation == Relation::replace_one, epsilon));
      CHECK_INSIDE(found, truth);
      CHECK(found.exact);
      CHECK(found.width() <= 1.1e-3 * truth);
    }
  }
}

TEST_CASE("sampling.group.gaussian: composed as a mixture of shifts") {
  const double q = 0.02;
  const Composition group =
      Composition(Neighbours(Relation::add_remove, 2)).add(poisson_sampled(Gaussian{.sigma = 1.5}, q), 500);
  const Composition mixture = Composition().add(
      GaussianMixture{.sigma = 1.5, .shifts = {0, 1, 2}, .weights = {(1 - q) * (1 - q), 2 * q * (1 - q), q * q}}, 500);
  for (const double target : {1e-5, 1e-12}) {
    const auto one = epsilon(group, {.delta = target}), other = epsilon(mixture, {.delta = target});
    CHECK(one.lower <= other.upper);
    CHECK(other.lower <= one.upper);
    CHECK(one.converged);
  }
}

// Of many records few moves weigh at any outcome, which is what a cell of the lattice costs.
TEST_CASE("sampling.group.many records are told as narrowly as few") {
  const auto group = [](int records, double sigma, std::int64_t count) {
    return Composition(Neighbours(Relation::add_remove, records))
        .add(poisson_sampled(Gaussian{.sigma = sigma}, 0.01), count);
  };
  CHECK(epsilon(group(100, 1, 100), {.delta = 1e-6}).converged);
  const Answer thousand = epsilon(group(1000, 1, 100), {.delta = 1e-6});
  CHECK(thousand.width() < 0.05 * thousand.upper);
  const Answer by_contour = epsilon(group(100, 10, 1000), {.delta = 1e-6, .engine = Engine::contour});
  const Answer by_lattice = epsilon(group(100, 10, 1000), {.delta = 1e-6, .engine = Engine::lattice});
  CHECK(by_lattice.converged);
  CHECK(by_lattice.lower <= by_contour.upper);
  CHECK(by_contour.lower <= by_lattice.upper);
}

TEST_CASE("sampling.group: other noise with a density lies between one record and no sampling") {
  for (const Mechanism& mechanism : {Mechanism(Laplace{.scale = 3}), Mechanism(Logistic{.scale = 2})}) {
    CAPTURE(mechanism.text());
    const auto at = [&](Relation relation, int k, double q) {
      return epsilon(Composition(Neighbours(relation, k)).add(poisson_sampled(mechanism, q), 5),
                     {.delta = 1e-6, .tolerance = 1e-2});
    };
    for (const Relation relation : {Relation::add_remove, Relation::replace_one}) {
      const auto found = at(relation, 2, 0.2);
      CHECK(found.exact);
      CHECK(found.converged);
      CHECK(found.lower > at(relation, 1, 0.2).upper);
      CHECK(found.upper < at(relation, 2, 1).lower);
    }
  }
}

// One drawn record of the group moves the noise by 1e5, two by 2e5, and lose 5e7 and 2e8, give or take 2e4. Of two
// releases six times the former are lost only where both drew both records.
TEST_CASE("sampling.group.noise far narrower than the sensitivity") {
  const double q = 0.3;
  Composition run(Neighbours(Relation::add_remove, 2));
  run.add(poisson_sampled(DiscreteGaussian{.sigma = 10, .sensitivity = 1e5}, q), 2);
  const Bracket log_delta =
      delta(run, {.epsilon = 3e8, .tolerance = 1e-2, .direction = DirectionChoice::remove}).log_delta;
  CHECK(log_delta.lower <= 4 * std::log(q) * (1 - 1e-9));
  CHECK(log_delta.upper >= 4 * std::log(q) * (1 + 1e-9));
  const Answer half =
      epsilon(run, {.delta = std::pow(q, 4) / 2, .tolerance = 1e-2, .direction = DirectionChoice::remove});
  CHECK(half.lower <= 4e8 * (1 + 1e-3));
  CHECK(half.upper >= 4e8 * (1 - 1e-3));
}

TEST_CASE("sampling.group.refused where the number of records is part of the law") {
  const Mechanism batch = without_replacement(Gaussian{}, 0.1);
  CHECK_THROWS_AS((void)batch.under(Neighbours(Relation::add_remove, 2)), MissingTheorem);
  CHECK_NOTHROW((void)batch.under(Neighbours(Relation::replace_one, 2)));
  const Mechanism cut = truncated_poisson(Gaussian{}, {.q = 0.1, .largest_batch = 20, .records = 100});
  CHECK_THROWS_AS((void)cut.under(Neighbours(Relation::add_remove, 2)), MissingTheorem);
  CHECK_NOTHROW((void)cut.under(Neighbours(Relation::zero_out, 2)));
  CHECK_THROWS_AS((void)Neighbours(Relation::add_remove, 1.5), DomainError);
  CHECK_THROWS_AS((void)Neighbours(Relation::add_remove, 0), DomainError);
  CHECK_THROWS_AS((void)Neighbours(Relation::add_remove, 1001), DomainError);
}
