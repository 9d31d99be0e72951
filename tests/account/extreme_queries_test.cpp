// Queries that once crashed, ran for a minute or answered [0, 1]. What they must do is end with a bracket that
// means something; the truth, where it is known in closed form, lies inside.

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "pld/core/rounding.hpp"
#include "pld/core/time_limit.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/readout_reference.hpp"

namespace pld::test {
namespace {

bool ordered(const Bracket& b) { return b.lower <= b.estimate && b.estimate <= b.upper; }

TEST_CASE("readout.extreme_queries.rare_hits_beside_loud_noise_are_certainly_exposed") {
  // 1.4e9 runs at sampling rate 4.8e-8: some 67 hits of a loss of 186 each, and a loss of 640 is certain.
  const Composition run = Composition()
                              .add(poisson_sampled(Gaussian{.sigma = 0.051802}, 4.76108e-08), 1403980220)
                              .add(DiscreteGaussian{0.607859, 2}, 15)
                              .add(Gaussian{.sigma = 135795});
  const DeltaAnswer found = delta(run, {.epsilon = 640.945});
  CHECK(ordered(found));
  CHECK(found.lower > 0.999);
  CHECK(found.converged);
}

// delta(mu^2 / 2) is 1/2 less phi(mu / 2) / mu or so. Losses of 1e16 have errors of several.
TEST_CASE("readout.extreme_queries.half_of_very_loud_noise") {
  for (const double sigma : {1e-6, 1e-7, 1e-8, 1e-12, 1e-60}) {
    const Composition run = Composition().add(Gaussian{.sigma = sigma});
    for (const double delta : {0.4, 0.5, 0.6, 0.99}) {
      const Answer found = epsilon(run, {.delta = delta});
      // mu (mu / 2 + x), delta = Phi(-x)
      const Real mu = 1 / Real(sigma), exact = mu * (mu / 2 + normal_upper_quantile(Real(delta)));
      CAPTURE(sigma);
      CAPTURE(delta);
      CHECK(Real(found.lower) <= exact * (1 + Real(1) / mu / mu));
      CHECK(Real(found.upper) >= exact * (1 - Real(2) / mu / mu));
      CHECK(found.converged);
    }
  }
}

TEST_CASE("readout.extreme_queries.epsilons_next_to_the_largest_double") {
  for (const Composition& run :
       {Composition().add(Gaussian{.sigma = 1}), Composition().add(Gaussian{.sigma = 2}, 3).add(Laplace{.scale = 1}),
        Composition().add(poisson_sampled(Gaussian{.sigma = 1}, 0.1), 10)}) {
    const PrivacyProfile read = profile(run);
    for (const double epsilon : {1e299, 1e301, 1e308}) {
      CAPTURE(epsilon);
      CHECK(read.delta(epsilon).upper <= 1e-300);
      CHECK(read.log_profile(std::vector<double>{1.0, epsilon}).back().log_delta.upper < -700);
      CHECK(delta(run, {.epsilon = epsilon}).upper <= 1e-300);
    }
  }
}

// The contour engine once said 0.926: as many nodes as so small a variance asks for overflowed their count.
TEST_CASE("readout.extreme_queries.hardly_ever_sampled_is_hardly_exposed") {
  for (const double q : {1e-12, 1e-18, 1e-20, 1e-60, 1e-300}) {
    for (const Engine engine : {Engine::automatic, Engine::lattice}) {
      CAPTURE(q);
      const Composition run = Composition().add(poisson_sampled(Gaussian{.sigma = 1}, q), 1000);
      const DeltaAnswer found = delta(run, {.epsilon = 1, .engine = engine});
      CHECK(ordered(found));
      CHECK(found.upper <= 1000 * q);  // total variation of 1000 samples: at most the chance of any hit
    }
  }
}

TEST_CASE("readout.extreme_queries.hundreds_of_billions_of_releases") {
  const Composition run = Composition()
                              .add(poisson_sampled(DiscreteGaussian{0.312068, 6}, 8.13913e-05), 305770355039)
                              .add(poisson_sampled(Gaussian{.sigma = 162.745}, 5.44872e-06), 352755171);
  const Answer found = epsilon(run, {.delta = 1.42386e-134, .tolerance = 1e-2});
  CHECK(ordered(found));
  CHECK(found.width() <= 1e-2 * found.estimate);
}

TEST_CASE("readout.extreme_queries.three_kinds_and_a_hundred_billion_releases") {
  const Composition run = Composition()
                              .add(poisson_sampled(Laplace{.scale = 290685}, 0.00013249), 371706450)
                              .add(poisson_sampled(DiscreteLaplace{4.69233, 13}, 4.7583e-06))
                              .add(poisson_sampled(Gaussian{.sigma = 60.3651}, 0.0558348), 172697894034);
  const DeltaAnswer found = delta(run, {.epsilon = 0.267269});
  CHECK(ordered(found));
  CHECK(found.converged);
  CHECK(found.lower > 0.999);
}

TEST_CASE("readout.extreme_queries.a_hit_far_above_epsilon_counts_in_full") {
  // Two runs that hit with probability 1e-9 each, and a hit has a loss of 5e5: delta = 1 - (1 - q)^2 to e^-5e5.
  const double q = 1e-9;
  const Composition run = Composition().add(poisson_sampled(Gaussian{.sigma = 1e-3}, q), 2);
  const double truth = -std::expm1(2 * std::log1p(-q));
  for (const double epsilon : {0.1, 1.0, 100.0}) {
    const DeltaAnswer found = delta(run, {.epsilon = epsilon, .direction = DirectionChoice::remove});
    CHECK_INSIDE(found, truth);
    CHECK(found.width() <= 1e-3 * truth);
  }
}

TEST_CASE("readout.extreme_queries.one_hit_in_a_thousand_releases") {
  // A single hit decides: delta is k times that of one release to some 1e-9, and a few e^-500 more.
  const Mechanism once = poisson_sampled(DiscreteGaussian{4.9902, 4}, 9.36648e-10);
  const DeltaAnswer one = delta(Composition().add(once), {.epsilon = 4.37118, .direction = DirectionChoice::remove});
  const DeltaAnswer many =
      delta(Composition().add(once, 1407), {.epsilon = 4.37118, .direction = DirectionChoice::remove});
  CHECK(ordered(many.log_delta));
  CHECK(many.log_delta.upper >= one.log_delta.lower + std::log(1407) - 1e-6);
  CHECK(many.log_delta.width() <= 0.1);
}

TEST_CASE("readout.extreme_queries.a_trillion_laplace_releases") {
  // The loss of one has mean e^{-1} at scale 1 and a variance below 1: the sum is within 1e-5 of k / e.
  const Composition run = Composition().add(Laplace{.scale = 1}, 1'000'000'000'000);
  const Answer found = epsilon(run, {.delta = 1e-6});
  CHECK(found.converged);
  CHECK_REL(found.estimate, 1e12 / std::exp(1.0), 2e-5);
}

TEST_CASE("readout.extreme_queries.epsilon_far_below_every_loss") {
  // delta(epsilon) = 1 - e^epsilon there, for every mechanism whose P and Q have the same outcomes.
  const Composition run = Composition().add(Laplace{.scale = 1}, 3);
  for (const double epsilon : {-1e308, -800.0, -50.0, -4.0}) {
    const DeltaAnswer found = delta(run, {.epsilon = epsilon});
    CHECK_INSIDE(found, -std::expm1(epsilon));
    CHECK(found.converged);
    CHECK(found.width() <= 1e-14);
  }
  // And so where many losses together span next to nothing.
  const Composition quiet = Composition().add(poisson_sampled(RandomizedResponse{0.8}, 1e-6), 60);
  for (const double delta : {0.9, 0.5, 1e-3}) {
    const Answer found = epsilon(quiet, {.delta = delta});
    CHECK_INSIDE((Bracket{found.lower - 1e-15, 0, found.upper + 1e-15}), std::log1p(-delta));
    CHECK(found.converged);
  }
}

/// Mean and variance of log(p(x) / p(x + 1)) under p, the noise's density, by quadrature.
template <class LogDensity>
std::pair<double, double> moments_of_loss(const LogDensity& log_density, double scale) {
  const auto integral = [&](const auto& f) {
    const auto weighted = [&](double x) { return std::exp(log_density(x)) * f(log_density(x) - log_density(x + 1)); };
    using Rule = boost::math::quadrature::gauss_kronrod<double, 61>;
    double sum = 0;
    for (const auto& [from, to] : {std::pair{-60 * scale, -1.0}, {-1.0, 0.0}, {0.0, 60 * scale}})
      sum += Rule::integrate(weighted, from, to, 15, 1e-13);
    return sum;
  };
  const double whole = integral([](double) { return 1.0; }), mean = integral([](double z) { return z; }) / whole;
  return {mean, integral([&](double z) { return (z - mean) * (z - mean); }) / whole};
}

// A billion releases are as normal as their mean and variance: delta(mean + x deviations) is the normal tail at x,
// 1e-10 at 6.3613, but for a factor of 1 - x / deviation and a skewness of 1e-4.
TEST_CASE("readout.extreme_queries.a_billion_releases_of_a_density") {
  const auto logistic = [](double x) { return -std::fabs(x / 30) - 2 * std::log1p(std::exp(-std::fabs(x / 30))); };
  const auto generalized = [](double x) { return -std::pow(std::fabs(x / 50), 1.5); };
  for (const auto& law :
       {std::pair{Mechanism(Logistic{.scale = 30}), moments_of_loss(logistic, 30)},
        {Mechanism(GeneralizedGaussian{.shape = 1.5, .scale = 50}), moments_of_loss(generalized, 50)}}) {
    const auto& mechanism = law.first;
    const auto& moments = law.second;
    CAPTURE(mechanism.text());
    const Answer found = epsilon(Composition().add(mechanism, 1'000'000'000), {.delta = 1e-10});
    CHECK(found.converged);
    const double x = (found.estimate - 1e9 * moments.first) / std::sqrt(1e9 * moments.second);
    CHECK(std::fabs(x - 6.3613) < 0.01);
  }
}

// What one release alone exposes is a lower end, where moments take too long and no lattice spans the losses.
TEST_CASE("readout.extreme_queries.tails_beyond_any_lattice") {
  const Mechanism heavy = SinhNormal{.sigma = 0.01, .a = 0.01};
  const Answer one = epsilon(Composition().add(heavy), {.delta = 1e-6}),
               rarer = epsilon(Composition().add(heavy), {.delta = 1e-7});
  const Answer ten = epsilon(Composition().add(heavy, 10), {.delta = 1e-6});
  CHECK(one.lower > 1e51);
  CHECK(ten.lower > 0.97 * one.lower);
  CHECK(ten.upper > one.lower);
  CHECK(ten.upper < 10.001 * rarer.upper);  // some release has its tenth of any more
  CHECK(ten.lower < 10 * rarer.upper);
}

// Of mu^2 < 0.832 if it were not for the sampling: delta(175) < e^{-(175 - mu^2/2)^2 / (2 mu^2)} < e^-18000.
TEST_CASE("readout.extreme_queries.ten_thousand_deviations_out") {
  const pld::Composition both = pld::Composition()
                                    .add(pld::poisson_sampled(pld::Gaussian{.sigma = 2786}, 1.3e-4), 6477797)
                                    .add(pld::Gaussian{.sigma = 396233}, 4221);
  CHECK(pld::delta(both, {.epsilon = 175}).log_delta.upper < -18000);
}

// epsilon = S + log(1 - delta / p) of one randomized response, S its largest loss and p the mass there: told without a
// lattice where that is narrow enough, and to the last digit.
TEST_CASE("readout.extreme_queries.below_the_largest_loss_to_the_last_digit") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> truths(0.5, 0.999), shares(1e-3, 0.36);
  for (int i = 0; i < 3000; ++i) {
    const double p = truths(random), delta = p * shares(random);
    const Real exact = log((Real(p) - delta) / (1 - Real(p)));
    if (exact < 1e-3) continue;
    CAPTURE(p);
    CAPTURE(delta);
    for (const Engine engine : {Engine::automatic, Engine::lattice})
      check_holds(
          epsilon(Composition().add(RandomizedResponse{.p = p}), {.delta = delta, .tolerance = 1e3, .engine = engine}),
          exact);
  }
}

TEST_CASE("readout.extreme_queries.an_unbounded_bracket_has_not_converged") {
  // One release alone would have to lose what lies 700 standard deviations out.
  const Composition run = Composition().add(poisson_sampled(Gaussian{.sigma = 100}, 0.005), 1000);
  const DeltaAnswer found = delta(run, {.epsilon = 2, .tolerance = 0.02, .direction = DirectionChoice::remove});
  CHECK(ordered(found.log_delta));
  CHECK_FALSE(found.converged);
  CHECK(found.log_delta.upper < -1e4);
  CHECK(found.log_delta.lower > -1e6);
  const DeltaAnswer one = delta(Composition().add(poisson_sampled(Gaussian{.sigma = 100}, 0.005)),
                                {.epsilon = 2, .direction = DirectionChoice::remove});
  CHECK(found.log_delta.upper >= one.log_delta.lower);
}

TEST_CASE("readout.extreme_queries.what_a_q_mass_near_one_leaves_has_few_digits") {
  // Of Q all but 3e-13 is at -inf, and a double tells that apart from 1 to 1e-16.
  const std::vector<double> q{0.9999999999997, 1.00000011e-13, 2.00000023e-13};
  const Real sum = Real(q[0]) + q[1] + q[2], finite = (Real(q[1]) + q[2]) / sum;
  for (const double delta : {0.9, 0.5, 1e-3}) {
    const Answer found = epsilon(Composition().add(MassTable{.p = {0, 0.5, 0.5}, .q = q}),
                                 {.delta = delta, .direction = DirectionChoice::remove});
    CAPTURE(delta);
    const Real truth = log((1 - Real(delta)) / finite);  // where both finite losses are above it
    if (truth > log(Real(0.5) * sum / q[2])) continue;
    CHECK(Real(found.lower) <= truth);
    CHECK(truth <= Real(found.upper));
    CHECK(found.width() < 0.1);
  }
}

TEST_CASE("readout.extreme_queries.many_kinds_too_rare_to_move_a_sum_move_its_bound") {
  // 120 and more kinds, each 5e-14 of the first one's delta: a logarithm of -514 takes none of them in.
  const double first = std::exp(-513.0);
  Composition run;
  run.add(poisson_sampled(ApproximateDp{.epsilon = 0, .delta = first}, 0.5));
  Real expected = Real(first) / 2;
  for (int i = 0; i < 1000; ++i) {
    const double delta = first * 5.5e-14 * (1 + i * 1e-5);
    run.add(poisson_sampled(ApproximateDp{.epsilon = 0, .delta = delta}, 0.5));
    expected += Real(delta) / 2;
  }
  const Real truth = log(expected);  // to 1e-223 of itself
  for (const double epsilon : {0.0, 1e-300}) {
    const DeltaAnswer found = delta(run, {.epsilon = epsilon, .direction = DirectionChoice::add});
    CAPTURE(epsilon);
    CHECK(Real(found.log_delta.lower) <= truth);
    CHECK(truth <= Real(found.log_delta.upper));
    CHECK(found.log_delta.width() < 1e-9);
  }
}

// Losses q epsilon_0 of some hundred of the smallest doubles, as far apart as those are: delta is linear in them.
TEST_CASE("readout.extreme_queries.losses_among_the_smallest_doubles") {
  const double epsilon_0 = 1.3e-303, q = 1.7e-18;
  const Real loss = Real(q) * epsilon_0;
  for (const double epsilon : {1e-321, -1e-321, 5e-324})
    for (const int count : {1, 3}) {
      CAPTURE(epsilon);
      CAPTURE(count);
      Real truth = 0, ways = 1;  // half of each release's mass at -loss, half at loss
      for (int likely = count; likely >= 0; --likely) {
        const Real excess = (2 * likely - count) * loss - epsilon;
        if (excess > 0) truth += ways * excess;
        ways = ways * likely / (count - likely + 1);
      }
      const DeltaAnswer found = delta(Composition().add(poisson_sampled(ApproximateDp{.epsilon = epsilon_0}, q), count),
                                      {.epsilon = epsilon, .direction = DirectionChoice::remove});
      check_holds(found.log_delta, log(truth / pow(Real(2), count)));
      CHECK(found.log_delta.width() < 0.1);
    }
}

/// But for what the noise does hide.
void check_nearly_holds(const Bracket& found, const Real& truth) {
  const Real hidden = 1e-12;
  CHECK(Real(found.lower) <= truth * (1 + hidden));
  CHECK(truth * (1 - hidden) <= Real(found.upper));
}

// Where noise hides nothing a record's absence has the loss -log(1 - q) each time, all but surely: of the sum S delta
// is 1 - e^(epsilon - S). Next to it lattices are as fine as doubles, and once lost half of each release's mass.
TEST_CASE("readout.extreme_queries.next_to_the_largest_loss_which_is_nearly_certain") {
  const auto check = [](const Mechanism& mechanism, double q, int count, double epsilon) {
    CAPTURE(q);
    CAPTURE(count);
    CAPTURE(epsilon);
    const Real largest = -count * log(1 - Real(q));
    const Real truth = epsilon < largest ? Real(-expm1(Real(epsilon) - largest)) : Real(0);
    const DeltaAnswer found = delta(Composition().add(poisson_sampled(mechanism, q), count),
                                    {.epsilon = epsilon, .direction = DirectionChoice::add});
    check_nearly_holds(found, truth);
  };
  check(Laplace{.scale = 1e-9, .sensitivity = 0.34983}, 0.10373, 9, 0.98562214903544032);
  check(Gaussian{.sigma = 1e-4}, 0.00563, 5, 0.028229540934125094);
  check(Gaussian{.sigma = 1e-4}, 0.02195, 9, 0.19975036958790193);
  std::mt19937_64 random(319);
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  const std::vector<Mechanism> loud{Laplace{.scale = 1e-9}, Gaussian{.sigma = 1e-4}, SinhNormal{.sigma = 4e-3, .a = 3},
                                    TruncatedLaplace{.scale = 1e-2, .bound = 5}};
  for (const int count : {1, 2, 5, 9, 20, 50, 1000}) {
    for (const Mechanism& mechanism : loud) {
      const double q = std::pow(10, uniform(-3, -0.1)), below = std::pow(10, uniform(-16, -11));
      check(mechanism, q, count, static_cast<double>(-count * log(1 - Real(q)) * (1 - Real(below))));
    }
  }
}

// Atoms lie at distances of 7e8, and lattices are asked for that have more points between these than doubles count.
TEST_CASE("readout.extreme_queries.atoms_far_apart_next_to_the_largest_loss") {
  const Composition run = Composition()
                              .add(poisson_sampled(Laplace{.scale = 1e-9}, 0.1655802), 10)
                              .add(poisson_sampled(Laplace{.scale = 1e-9}, 0.0008141), 1000)
                              .add(poisson_sampled(Laplace{.scale = 1e-9}, 0.0519192), 3);
  const double epsilon = 2.784564663472418;
  const Real largest = -10 * log(1 - Real(0.1655802)) - 1000 * log(1 - Real(0.0008141)) - 3 * log(1 - Real(0.0519192));
  const Real truth = -expm1(Real(epsilon) - largest);
  const DeltaAnswer found = delta(run, {.epsilon = epsilon, .direction = DirectionChoice::add});
  check_nearly_holds(found, truth);
}

TEST_CASE("readout.extreme_queries.next_to_nothing_finite_beside_infinite_losses") {
  const MassTable leaks{.p = {0, 1e-30, 1}, .q = {1, 1e-30, 0}};
  for (const int count : {1, 3, 2000}) {
    const DeltaAnswer found = delta(Composition().add(leaks, count), {.epsilon = 1});
    CHECK(found.lower < 1);  // 1 - 1e-30^count
    CHECK(found.lower > 1 - 1e-11);
  }
}

// What is missing, e^-1800 and less, is below every double: bounds by moments once took it for nothing.
TEST_CASE("readout.extreme_queries.a_delta_next_to_1_is_not_said_to_be_1") {
  for (const int count : {4, 4000}) {
    const DeltaAnswer found = delta(Composition().add(ApproximateDp{.epsilon = 900}, count), {.epsilon = 800});
    CHECK(found.lower < 1);
    CHECK(found.log_delta.lower < 0);
    CHECK(found.log_delta.lower > -1e-9);
  }
}

// Once the time is up: what is left to do for each kind is little, and tells something all the same. More than twice as
// long when lattices of all kinds were placed, and bounds by moments looked at tilts that hardly differ.
TEST_CASE("readout.extreme_queries.many_kinds_after_the_time_is_up") {
  Composition run;
  for (int i = 0; i < 2000; ++i) run.add(Laplace{.scale = 10 + 0.013 * i}, 3);
  const std::clock_t start = std::clock();
  const TimeLimit limit(1e-9);
  const DeltaAnswer found = delta(run, {.epsilon = 3});
  CHECK(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < 3);
  CHECK(found.lower > 0.1);
  CHECK(found.upper <= 1);
}

// Six times as long when each was outlined for a lattice, and hardly any epsilon was told.
TEST_CASE("readout.extreme_queries.many_sampled_kinds_after_the_time_is_up") {
  Composition run;
  for (int i = 0; i < 2000; ++i) run.add(poisson_sampled(Gaussian{.sigma = 1 + 1e-3 * i}, 1e-3 + 1e-6 * i), 5);
  const std::clock_t start = std::clock();
  const TimeLimit limit(1e-9);
  const Answer found = epsilon(run, {.delta = 1e-6});
  CHECK(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < 2);
  CHECK(found.lower > 0.2);
  CHECK(found.upper < 5);
}

// Their laws were put on more nodes than there was work for: 5 s, and an end twice as far.
TEST_CASE("readout.extreme_queries.many_random_allocations_keep_the_nodes_they_have") {
  Composition run;
  for (int i = 0; i < 50; ++i) run.add(randomly_allocated(Gaussian{.sigma = 1.5 + 0.1 * i}, 50 + 10 * i));
  const std::clock_t start = std::clock();
  const Answer found = epsilon(run, {.delta = 1e-6});
  CHECK(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < 2.5);
  CHECK(found.lower > 0);
  CHECK(found.upper < 2 * found.lower);
}

// Sums of losses that no double holds, once without end.
TEST_CASE("readout.extreme_queries.losses_beyond_the_range_of_doubles") {
  for (const double loss : {1e306, 8e307})
    for (const int count : {1000, 2000}) {
      CAPTURE(loss);
      CAPTURE(count);
      const Composition run = Composition().add(ApproximateDp{.epsilon = loss}, count);
      CHECK(delta(run, {.epsilon = 1e307}).lower > 0.999);
      for (const double delta : {1e-6, 0.0}) {
        const Answer found = epsilon(run, {.delta = delta});
        CHECK(found.lower > 1e300);
        CHECK(found.lower < infinity);
        CHECK(found.upper == infinity);
      }
    }
}

}  // namespace
}  // namespace pld::test

TEST_CASE("readout.extreme_queries.an allocation of losses that no double tells from 0") {
  // Its law has no masses, and once that was a crash.
  for (const double scale : {1e17, 1e90}) {
    const pld::Composition run = pld::Composition().add(pld::randomly_allocated(pld::Laplace{.scale = scale}, 10), 3);
    const pld::DeltaAnswer found = pld::delta(run, {.epsilon = 0});
    CHECK(found.lower <= 3 / scale);
    CHECK(found.upper >= 0);
    CHECK(pld::PrivacyProfile(run).delta(0.5).lower == 0);
  }
}
