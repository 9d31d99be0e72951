#include "sampling/opposite_pair.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/math/special_functions/bessel.hpp>
#include <cmath>
#include <random>

#include "pld/account/composition.hpp"
#include "pld/account/query.hpp"
#include "pld/mechanisms/binomial.hpp"
#include "pld/mechanisms/discrete_gaussian.hpp"
#include "pld/mechanisms/discrete_laplace.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/generalized_gaussian.hpp"
#include "pld/mechanisms/integer_noise.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/mechanisms/logistic.hpp"
#include "pld/mechanisms/skellam.hpp"
#include "pld/mechanisms/truncated_laplace.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "support/location_law.hpp"
#include "support/pair_checks.hpp"

namespace pld::test {
namespace {

/// The law of (1-q) X + q (X + s) against (1-q) X + q (X - s) from the definitions; its loss rises with the outcome.
Law opposite_law(const Noise50& noise, const Real& s, const Real& q) {
  const auto outcome = [=](const Real& loss) {
    if (abs(loss) == real_infinity()) return loss;
    Real low = -1, high = 1;
    const auto at = [&](const Real& x) {
      return Real(sampled_loss50(noise, q, s, x) - sampled_loss50(noise, q, s, -x));
    };
    while (at(low) > loss && low > -1e6) low *= 2;
    while (at(high) <= loss && high < 1e6) high *= 2;
    if (low < -1e6) return Real(-real_infinity());
    return high > 1e6 ? real_infinity() : outcome_between(at, loss, low, high);
  };
  return [=](const Real& low, const Real& high) {
    const Real a = outcome(low), b = outcome(high);
    const Real still = noise.interval(a, b);
    return Masses{(1 - q) * still + q * noise.interval(a - s, b - s),
                  (1 - q) * still + q * noise.interval(a + s, b + s)};
  };
}

PairPtr replaced_sample(const Mechanism& mechanism, double q) {
  return poisson_sampled(mechanism, q).under(Relation::replace_one).pair(Direction::remove);
}

void check_against_50_digits(const Mechanism& mechanism, const Noise50& noise, double s) {
  for (const double q : {1e-7, 0.004, 0.3, 0.97}) {
    CAPTURE(q);
    CAPTURE(s);
    const PairPtr pair = replaced_sample(mechanism, q);
    const Law law = opposite_law(noise, s, q);
    const double reach = std::min(0.9 * pair->range().highest, 30 * q * std::expm1(std::min(5.0, s)));
    std::vector<double> edges;
    for (int i = 0; i <= 8; ++i) edges.push_back(reach * (i - 4) / 4.0);
    check_density(*pair, law, edges);
    check_tails(*pair, law, std::vector<double>{edges[1], edges[4], edges[6]});
  }
}

TEST_CASE("sampling.opposite.gaussian_matches_50_digits") {
  for (const double sigma : {0.3, 20.0}) check_against_50_digits(Gaussian{.sigma = sigma}, normal50(), 1 / sigma);
}

TEST_CASE("sampling.opposite.other_noise_matches_50_digits") {
  for (const double scale : {2.0}) {
    check_against_50_digits(Laplace{.scale = scale}, laplace50(), 1 / scale);
    check_against_50_digits(Logistic{.scale = scale}, logistic50(), 1 / scale);
    check_against_50_digits(GeneralizedGaussian{.shape = 1.5, .scale = scale}, generalized50(1.5), 1 / scale);
  }
}

TEST_CASE("sampling.opposite.nearly_laplace_noise_matches_50_digits") {
  for (const double shape : {1.02, 1.16}) {
    for (const double q : {0.004, 0.3, 0.97}) {
      const PairPtr pair = replaced_sample(GeneralizedGaussian{.shape = shape, .scale = 3}, q);
      const Law law = opposite_law(generalized50(shape), 1 / Real(3), q);
      const double reach = dynamic_cast<const OutcomePair&>(*pair).loss_of(40);
      CAPTURE(pair->loss_error({-reach, reach}));
      CHECK(pair->loss_error({-reach, reach}) < 1e-12 * reach);
      check_density(*pair, law, std::vector<double>{-0.9 * reach, -0.5 * reach, 0, 0.3 * reach, reach});
      check_tails(*pair, law, std::vector<double>{-reach, -0.2 * reach, 0.9 * reach});
    }
  }
}

TEST_CASE("sampling.opposite.only_where_the_proof_holds") {
  CHECK(poisson_sampled(Gaussian{}, 0.1).under(Relation::replace_one).law().kind.attained == Attainment::together);
  const auto attained = [](const Mechanism& mechanism) {
    return poisson_sampled(mechanism, 0.1).under(Relation::replace_one).law().kind.attained;
  };
  CHECK(attained(TruncatedLaplace{.scale = 1, .bound = 3}) == Attainment::together);
  CHECK(attained(TruncatedLaplace{.scale = 1, .bound = 3, .sensitivity = 0.1}) ==
        Attainment::nowhere);  // 2.9 is rounded
  CHECK(attained(TruncatedLaplace{.scale = 1, .bound = 3, .sensitivity = 4}) == Attainment::nowhere);
  CHECK(attained(Binomial{.n = 9}) == Attainment::together);
  CHECK(attained(IntegerNoise{.masses = {0.2, 0.3, 0.3, 0.2}}) == Attainment::together);
}

using Density = double (*)(double);

/// H_g of the outputs where the record moves the query by u and by v, by the midpoint rule: its error is the step's
/// square times a twelfth of the jumps of the slope, which are below 4. Densities jump between steps.
constexpr double step = 1.0 / 256, error_of_rule = step * step / 3;
double divergence(Density density, double g, double q, double u, double v) {
  double sum = 0;
  for (double x = -24 + step / 2; x <= 24; x += step) {
    const double still = (1 - q) * density(x);
    sum += std::max(0.0, still + q * density(x - u) - g * (still + q * density(x - v)));
  }
  return sum * step;
}

/// Laplace noise of scale 1 on [-t, t].
template <int twice_t>
double truncated_laplace(double x) {
  const double t = twice_t / 2.0;
  return std::fabs(x) > t ? 0 : std::exp(-std::fabs(x)) / (-2 * std::expm1(-t));
}

TEST_CASE("sampling.opposite.no_two_values_lose_more") {
  struct Case {
    Mechanism mechanism;
    Density density;
    double s;
  };
  const Case cases[] = {{Gaussian{.sigma = 1}, [](double x) { return std::exp(-x * x / 2) / std::sqrt(2 * M_PI); }, 1},
                        {Laplace{.scale = 0.5}, [](double x) { return std::exp(-std::fabs(x)) / 2; }, 2},
                        {TruncatedLaplace{.scale = 1, .bound = 3}, truncated_laplace<6>, 1},
                        {TruncatedLaplace{.scale = 1, .bound = 1.5}, truncated_laplace<3>, 1}};
  for (const auto& [mechanism, density, s] : cases) {
    for (const double q : {0.02, 0.6}) {
      Composition run(Relation::replace_one);
      run.add(poisson_sampled(mechanism, q));
      for (const double epsilon : {-0.5, 0.0, 0.01, 0.3, 1.2}) {
        CAPTURE(mechanism.text());
        CAPTURE(q);
        CAPTURE(epsilon);
        const Bracket answer = delta(run, {.epsilon = epsilon});
        double worst = 0;
        for (double u = -s; u <= s; u += s / 4)
          for (double v = -s; v <= s; v += s / 4)
            worst = std::max(worst, divergence(density, std::exp(epsilon), q, u, v));
        CHECK(worst <= answer.upper + error_of_rule);
        CHECK(worst >= answer.lower - error_of_rule);  // some two attain it
      }
    }
  }
}

TEST_CASE("sampling.opposite.no_two_values_of_bounded_integer_noise_lose_more") {
  const std::vector<double> halves{1 / 64.0, 6 / 64.0, 15 / 64.0, 20 / 64.0, 15 / 64.0, 6 / 64.0, 1 / 64.0};
  for (const int s : {1, 2, 4}) {
    const auto sensitivity = static_cast<double>(s);
    for (const Mechanism& mechanism :
         {Mechanism(Binomial{.n = 6, .sensitivity = sensitivity}), Mechanism(IntegerNoise{halves, sensitivity})}) {
      for (const double q : {0.0625, 0.5, 0.875}) {
        Composition run(Relation::replace_one);
        run.add(poisson_sampled(mechanism, q));
        for (const double epsilon : {-0.5, 0.0, 0.01, 0.3, 1.2}) {
          CAPTURE(mechanism.text());
          CAPTURE(q);
          CAPTURE(epsilon);
          const auto mass = [&](int x) {
            return 0 <= x && x < 7 ? Real(halves[static_cast<std::size_t>(x)]) : Real(0);
          };
          const auto lost = [&](int u, int v) {
            Real sum = 0;
            for (int x = -s; x < 7 + s; ++x)
              sum += std::max(Real(0), Real((1 - q) * mass(x) + q * mass(x - u) -
                                            exp(Real(epsilon)) * ((1 - q) * mass(x) + q * mass(x - v))));
            return sum;
          };
          Real worst = 0;
          for (int u = -s; u <= s; ++u)
            for (int v = -s; v <= s; ++v) worst = std::max(worst, lost(u, v));
          const Bracket answer = delta(run, {.epsilon = epsilon, .tolerance = 1e-9});
          CHECK(worst <= Real(answer.upper));
          CHECK(worst >= Real(answer.lower));  // some two attain it
          CHECK(answer.upper - answer.lower <= 1e-9 * answer.upper);
        }
      }
    }
  }
}

TEST_CASE("sampling.opposite.never_above_two_steps") {
  std::mt19937_64 random(20261123);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int round = 0; round < 12; ++round) {
    Composition replaced(Relation::replace_one), one;
    const auto add = [&](const Mechanism& mechanism, std::int64_t count) {
      const double q = std::pow(10, -3 * uniform(random));
      replaced.add(poisson_sampled(mechanism, q), count);
      one.add(poisson_sampled(mechanism, q), count);
    };
    add(Gaussian{.sigma = 0.6 + 2 * uniform(random)}, 1 + round % 4 * 30);
    if (round % 2 == 0) add(Laplace{.scale = 0.5 + 3 * uniform(random)}, 1 + round);
    if (round % 3 == 0) add(Logistic{.scale = 0.5 + 3 * uniform(random)}, 2);
    if (round % 4 == 1) add(TruncatedLaplace{.scale = 1 + uniform(random), .bound = 8}, 1 + round);
    if (round % 4 == 3) add(Binomial{.n = 40}, 1 + round);
    const double a = uniform(random), b = uniform(random);
    const double two = delta(one, {.epsilon = a, .direction = DirectionChoice::remove}).upper +
                       std::exp(a) * delta(one, {.epsilon = b, .direction = DirectionChoice::add}).upper;
    CHECK(delta(replaced, {.epsilon = a + b}).lower <= two);
  }
}

/// The atoms of whole-number noise from its masses.
std::vector<ReferenceAtom> opposite_atoms(const std::function<Real(int)>& mass, int s, const Real& q) {
  std::vector<ReferenceAtom> atoms;
  constexpr int reach = 90;
  for (int x = -reach; x <= reach; ++x) {
    const Real p = (1 - q) * mass(x) + q * mass(x - s), other = (1 - q) * mass(x) + q * mass(x + s);
    atoms.push_back({log(p / other), p, other});
  }
  return atoms;
}

TEST_CASE("sampling.opposite.integer_noise_matches_50_digits") {
  struct Case {
    Mechanism mechanism;
    std::function<Real(int)> weight;
    int s;
    std::size_t flat = 0;  ///< the loss is the same from this outcome on
  };
  const Case cases[] = {
      {DiscreteGaussian{.sigma = 1.25, .sensitivity = 2}, [](int x) { return Real(exp(-Real(x) * x / 3.125)); }, 2},
      {DiscreteGaussian{.sigma = 0.5}, [](int x) { return Real(exp(-Real(x) * x * 2)); }, 1},
      {DiscreteLaplace{.a = 0.75, .sensitivity = 3}, [](int x) { return Real(exp(-abs(Real(x)) * 0.75)); }, 3, 3},
      {DiscreteLaplace{.a = 2}, [](int x) { return Real(exp(-abs(Real(x)) * 2)); }, 1, 1},
      {Skellam{.variance = 4}, [](int x) { return Real(boost::math::cyl_bessel_i(abs(x), Real(4))); }, 1},
  };
  for (const auto& [mechanism, weight, s, flat] : cases) {
    Real all = 0;
    std::vector<Real> masses;
    for (int x = -100; x <= 100; ++x) masses.push_back(weight(x)), all += masses.back();
    for (const double q : {1e-6, 0.02, 0.9}) {
      CAPTURE(mechanism.text());
      CAPTURE(q);
      const auto exact =
          opposite_atoms([&](int x) { return Real(masses[static_cast<std::size_t>(x + 100)] / all); }, s, q);
      const PairPtr pair = replaced_sample(mechanism, q);
      const Law law = atomic_law(exact);
      const auto at = [&](int x) -> const ReferenceAtom& { return exact[static_cast<std::size_t>(x + 90)]; };
      const int end = flat > 0 ? static_cast<int>(flat) - 1 : 8;
      const double reach = static_cast<double>((at(end).loss + at(end + 1).loss) / 2);
      const std::vector<LossCell> atoms = pair->atoms({-reach, reach});
      REQUIRE(atoms.size() == static_cast<std::size_t>(2 * end + 1));
      for (int x = -end; x <= end; ++x) {
        const LossCell& atom = atoms[static_cast<std::size_t>(x + end)];
        CHECK(mass_excess(atom.log_mass, at(x).p, at(x).p) <= 1);
        CHECK(mass_excess(atom.log_q_mass, at(x).q, at(x).q) <= 1);
        CHECK(abs(at(x).loss - atom.loss) <= pair->loss_error({atom.loss, atom.loss}));
      }
      std::vector<double> between;
      for (int x = -end; x < end; ++x) between.push_back(static_cast<double>((at(x).loss + at(x + 1).loss) / 2));
      between.push_back(reach), between.insert(between.begin(), -reach);
      check_tails(*pair, law, between);
    }
  }
}

// Renyi divergences of the opposite Gaussian sample, by the trapezoidal rule on a line where the rest is nothing.
TEST_CASE("sampling.opposite.the slope is above every renyi divergence and near that of one shift") {
  for (const double q : {0.01, 0.4}) {
    const PairPtr pair = replaced_sample(Gaussian{.sigma = 1}, q);
    for (const double order : {1.01, 2.0, 7.0, 40.0, 300.0}) {
      const auto log_mixed = [&](double x, double s) {
        const double kept = std::log1p(-q) - x * x / 2, moved = std::log(q) - (x - s) * (x - s) / 2;
        return std::max(kept, moved) + std::log1p(std::exp(-std::fabs(kept - moved)));
      };
      const auto log_term = [&](double x) { return order * log_mixed(x, 1) + (1 - order) * log_mixed(x, -1); };
      const double width = 1.0 / 64, from = -40, to = 40 + 2 * order;
      double largest = -INFINITY, sum = 0;
      for (double x = from; x < to; x += width) largest = std::max(largest, log_term(x));
      for (double x = from; x < to; x += width) sum += std::exp(log_term(x) - largest);
      const double log_moment = largest + std::log(sum * width) - std::log(2 * M_PI) / 2;
      CHECK(log_moment / (order - 1) <= pair->renyi_slope() * order);
    }
    CHECK(pair->renyi_slope() <= std::min(2.0, 0.5 - std::log1p(-q) + 1e-9));
  }
}

// Values of dp_accounting's upper bounds at a discretisation of 1e-4.
// Between 0 and a large sensitivity single outcomes have next to nothing; what lies about the sensitivity still counts.
// A record that is drawn loses 5e7, give or take 1e4, one that is not drawn nothing: above one such loss and below two
// all of delta is that both releases drew it.
TEST_CASE("sampling.opposite.noise_far_narrower_than_the_sensitivity") {
  const double q = 0.3;
  Composition run(Relation::replace_one);
  run.add(poisson_sampled(DiscreteGaussian{.sigma = 10, .sensitivity = 1e5}, q), 2);
  const Bracket log_delta = delta(run, {.epsilon = 7.5e7, .tolerance = 1e-2}).log_delta;
  CHECK(log_delta.lower <= 2 * std::log(q) * (1 - 1e-9));
  CHECK(log_delta.upper >= 2 * std::log(q) * (1 + 1e-9));
  const Answer half = epsilon(run, {.delta = q * q / 2, .tolerance = 1e-2});
  CHECK(half.lower <= 1e8 * (1 + 1e-3));
  CHECK(half.upper >= 1e8 * (1 - 1e-3));
}

TEST_CASE("sampling.opposite.dp_sgd_under_replacement") {
  const auto dp_sgd = [](double sigma, double q) {
    Composition run(Relation::replace_one);
    run.add(poisson_sampled(Gaussian{.sigma = sigma}, q), 1000);
    return Bracket(epsilon(run, {.delta = 1e-6, .tolerance = 1e-5}));
  };
  const auto agrees = [](const Bracket& found, double known) {
    return found.lower <= known + 5e-5 && found.upper >= known - 2e-4 && found.upper <= known + 5e-5;
  };
  CHECK(agrees(dp_sgd(1, 0.01), 3.2142));
  CHECK(agrees(dp_sgd(0.8, 0.005), 2.4024));
  CHECK(agrees(dp_sgd(2, 0.01), 1.3745));
}

}  // namespace
}  // namespace pld::test
