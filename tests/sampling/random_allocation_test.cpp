#include "pld/sampling/random_allocation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/work.hpp"
#include "pld/account/privacy_profile.hpp"
#include "pld/account/query.hpp"
#include "pld/core/contradictions.hpp"
#include "pld/core/errors.hpp"
#include "pld/mechanisms/approximate_dp.hpp"
#include "pld/mechanisms/discrete_laplace.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/mechanisms/mass_table.hpp"
#include "pld/mechanisms/randomized_response.hpp"
#include "pld/mechanisms/selection.hpp"
#include "pld/mechanisms/trade_off_points.hpp"
#include "pld/readout/trade_off.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "support/checks.hpp"

namespace pld {
namespace {

/// delta of one epoch of Gaussian noise, to 18 digits: E (R - e^epsilon)_+ and E (1 - e^epsilon R)_+ by an inverse
/// Laplace transform of the sum of lognormals with 400 bits, tail sums to 1e-50 of the largest term, cross-checked by
/// put-call parity. Where a tail is heavy that was off by 6e-12 to 3e-7: the three values with it, of sigma 1 at .5,
/// .5 and .8, are by mpmath in 45 digits, the sum of a lognormal's transforms by the trapezoidal rule on turned lines.
struct Truth {
  double sigma;
  double steps;
  double epsilon;
  DirectionChoice direction;
  double delta;
};

constexpr auto remove_one = DirectionChoice::remove, add_one = DirectionChoice::add;
const std::vector<Truth> truths{
    {1, 100, 0.5, remove_one, 4.40890803386304162e-5},    {1, 100, 0.5, add_one, 5.92528369170910523e-7},
    {1, 100, 0.1, remove_one, 0.0178823247853410296},     {1, 100, 0.1, add_one, 0.0163034489141377385},
    {2, 100, 0.05, remove_one, 0.00513200262171267659},   {2, 100, 0.05, add_one, 0.00506815971421092729},
    {2, 400, 0.02, remove_one, 0.00353238769386329953},   {2, 400, 0.02, add_one, 0.00351720878091306958},
    {4, 1000, 0.001, remove_one, 0.00272998337461561697}, {4, 1000, 0.001, add_one, 0.00272991509973375651},
    {1, 1000, 0.17, remove_one, 1.11914581312758291e-6},  {1, 1000, 0.17, add_one, 9.75999713923529012e-8},
    {0.5, 1000, 1.0, remove_one, 0.00127693169784960554}, {0.5, 1000, 1.0, add_one, 2.08812271438403935e-18},
    {0.8, 400, 0.6, remove_one, 7.55455012459017207e-6},  {0.8, 400, 0.6, add_one, 4.89500530360401324e-15},
    {1.5, 60, 0.3, remove_one, 4.31421633037988542e-5},   {1.5, 60, 0.3, add_one, 2.18305643023573324e-5},
};

DeltaAnswer delta_of(const Truth& truth, double tolerance) {
  const Composition run = Composition().add(randomly_allocated(Gaussian{.sigma = truth.sigma}, truth.steps));
  return delta(run, {.epsilon = truth.epsilon, .tolerance = tolerance, .direction = truth.direction});
}

/// Beyond all losses delta is 0, also where no double holds how small a ratio is.
TEST_CASE("mechanisms.random_allocation.ratios_below_doubles_are_no_infinite_loss") {
  const auto allocated = [](const Mechanism& mechanism, double steps, double passes) {
    return passes > 1 ? allocated_once(mechanism, steps, passes) : randomly_allocated(mechanism, steps);
  };
  const Mechanism loud[] = {
      allocated(Laplace{.scale = 1e-3}, 2, 1),          allocated(Laplace{.scale = 2.5e-3}, 4, 2),
      allocated(ApproximateDp{.epsilon = 1000}, 2, 1),  allocated(DiscreteLaplace{.a = 746}, 2, 1),
      allocated(DiscreteLaplace{.a = 1000}, 10, 1),     allocated(DiscreteLaplace{.a = 450}, 4, 2),
      allocated(RandomizedResponse{.p = 1e-200}, 3, 3), allocated(Gaussian{.sigma = 0.001}, 2, 1),
      allocated(Gaussian{.sigma = 0.015}, 2, 1)};
  for (const Mechanism& mechanism : loud) {
    CAPTURE(mechanism.text());
    for (const std::int64_t beside : {0, 1}) {
      Composition run;
      run.add(mechanism);
      if (beside > 0) run.add(Laplace{}, beside);
      for (const DirectionChoice direction : {remove_one, add_one})
        CHECK(delta(run, {.epsilon = 1e8, .direction = direction}).lower <= 1e-300);
      CHECK(epsilon(run, {.delta = 0.1}).lower < 1e8);
    }
  }
}

TEST_CASE("sampling.random_allocation.holds_values_of_a_laplace_transform") {
  for (const Truth& truth : truths) {
    CAPTURE(truth.sigma);
    CAPTURE(truth.steps);
    CAPTURE(truth.epsilon);
    CAPTURE(truth.delta);
    const DeltaAnswer found = delta_of(truth, 0.3);
    CHECK(found.exact);
    CHECK(found.lower <= truth.delta * (1 + 1e-15));
    CHECK(found.upper >= truth.delta * (1 - 1e-15));
    // Within work for the ordinary suite.
    CHECK(found.lower >= 0.5 * truth.delta);
    CHECK(found.upper <= 2 * truth.delta);
  }
}

TEST_CASE("sampling.random_allocation.each_value_of_the_laplace_transform_within_the_work_of_a_question" *
          doctest::test_suite("slow")) {
  for (const Truth& truth : truths) {
    CAPTURE(truth.sigma);
    CAPTURE(truth.steps);
    CAPTURE(truth.epsilon);
    CAPTURE(truth.delta);
    // 5,000 nodes or so: what the points of a question pay.
    const DeltaAnswer found = delta_of(truth, 1.2e-4);
    CHECK(found.lower <= truth.delta * (1 + 1e-11));
    CHECK(found.upper >= truth.delta * (1 - 1e-11));
    CHECK(found.converged);
    CHECK(found.log_delta.width() <= std::log1p(1.2e-4));
  }
}

TEST_CASE("sampling.random_allocation.brackets_narrow_and_stay_around_the_truth") {
  for (const Truth& truth : {truths.at(2), truths.at(12)}) {
    double before = infinity;
    for (const double tolerance : {0.1, 0.01, 1e-3}) {
      const DeltaAnswer found = delta_of(truth, tolerance);
      CHECK(found.converged);
      CHECK(found.lower <= truth.delta);
      CHECK(found.upper >= truth.delta);
      CHECK(found.log_delta.width() <= std::log1p(tolerance));
      CHECK(found.log_delta.width() <= before);
      before = found.log_delta.width();
    }
  }
}

/// The masses of an outcome with the record and without it.
struct Masses {
  double with = 1, without = 1;
};
using Outcomes = std::vector<Masses>;

Outcomes product(const Outcomes& a, const Outcomes& b) {
  Outcomes all;
  for (const Masses& m : a)
    for (const Masses& n : b) all.push_back({m.with * n.with, m.without * n.without});
  return all;
}

Outcomes repeated(const Outcomes& one, int times) {
  Outcomes all{{1, 1}};
  for (int i = 0; i < times; ++i) all = product(all, one);
  return all;
}

/// Every sequence of outcomes of an epoch of `steps` runs of a mechanism with few outcomes, whose record is in
/// `participations` of them, all choices alike.
Outcomes epoch_of(const Outcomes& step, int steps, int participations = 1) {
  // For each sequence, the masses summed over all ways to have been in 0, 1, ... steps so far.
  std::vector<std::vector<double>> sequences{{1}};
  for (int t = 0; t < steps; ++t) {
    std::vector<std::vector<double>> next;
    for (const std::vector<double>& before : sequences) {
      for (const Masses& y : step) {
        std::vector<double> here(before.size() + 1);
        for (std::size_t in = 0; in < before.size(); ++in) {
          here[in] += before[in] * y.without;
          here[in + 1] += before[in] * y.with;
        }
        next.push_back(here);
      }
    }
    sequences = next;
  }
  double choices = 1;
  for (int i = 0; i < participations; ++i) choices = choices * (steps - i) / (i + 1);
  Outcomes all;
  for (const std::vector<double>& s : sequences)
    all.push_back({s[static_cast<std::size_t>(participations)] / choices, s[0]});
  return all;
}

/// sum (P - e^epsilon Q)_+.
double hockey_stick(const Outcomes& all, double epsilon, bool removing) {
  double sum = 0;
  for (const Masses& m : all)
    sum += std::max(0.0, removing ? m.with - std::exp(epsilon) * m.without : m.without - std::exp(epsilon) * m.with);
  return sum;
}

double enumerated(const std::vector<double>& p, const std::vector<double>& q, int steps, int epochs, double epsilon,
                  bool removing) {
  Outcomes step;
  for (std::size_t y = 0; y < p.size(); ++y) step.push_back({p[y], q[y]});
  return hockey_stick(repeated(epoch_of(step, steps), epochs), epsilon, removing);
}

TEST_CASE("sampling.random_allocation.every_outcome_of_a_few_steps") {
  struct Case {
    Mechanism base;
    std::vector<double> p, q;
  };
  const std::vector<Case> cases{
      {RandomizedResponse{.p = 0.8}, {0.8, 0.2}, {0.2, 0.8}},
      {MassTable{{0.5, 0.3, 0.2, 0}, {0.1, 0.3, 0.5, 0.1}}, {0.5, 0.3, 0.2, 0}, {0.1, 0.3, 0.5, 0.1}},
      {MassTable{{0.6, 0.3, 0.1}, {0.2, 0.8, 0}}, {0.6, 0.3, 0.1}, {0.2, 0.8, 0}},
  };
  for (const Case& c : cases) {
    for (const int steps : {2, 3, 5}) {
      for (const int epochs : {1, 2}) {
        const Composition run = Composition().add(randomly_allocated(c.base, steps), epochs);
        for (const double epsilon : {0.0, 0.3, 0.9}) {
          for (const bool removing : {true, false}) {
            CAPTURE(c.base.text());
            CAPTURE(steps);
            CAPTURE(epochs);
            CAPTURE(epsilon);
            CAPTURE(removing);
            const double want = enumerated(c.p, c.q, steps, epochs, epsilon, removing);
            const DeltaAnswer found = delta(run, {.epsilon = epsilon, .direction = removing ? remove_one : add_one});
            CHECK(found.lower <= want * (1 + 1e-12) + 1e-16);
            CHECK(found.upper >= want * (1 - 1e-12) - 1e-16);
            CHECK(found.upper - found.lower <= 2e-3 * want + 1e-12);
          }
        }
      }
    }
  }
}

TEST_CASE("sampling.random_allocation.one_step_is_the_mechanism_and_one_of_two_is_between") {
  const Mechanism base = Laplace{.scale = 1};
  CHECK(randomly_allocated(base, 1).text() == base.text());
  const Composition run = Composition().add(randomly_allocated(base, 2));
  const Bracket found = epsilon(run, {.delta = 1e-3, .tolerance = 1e-3});
  CHECK(found.lower > epsilon(Composition().add(poisson_sampled(base, 0.5)), {.delta = 1e-3}).lower / 2);
  CHECK(found.upper < 1);
}

TEST_CASE("sampling.random_allocation.what_is_refused_and_what_is_only_an_upper_bound") {
  const Mechanism base = Gaussian{.sigma = 1};
  CHECK_THROWS_AS(randomly_allocated(base, 0), DomainError);
  CHECK_THROWS_AS(randomly_allocated(base, 1'000'000'001), DomainError);
  CHECK_THROWS_AS(randomly_allocated(poisson_sampled(base, 0.1), 3), MissingTheorem);
  CHECK(Composition().add(randomly_allocated(base, 3), 5).is_exact());
  CHECK_FALSE(Composition().add(randomly_allocated(base, 3), 5).is_one_law());
  CHECK_FALSE(Composition().add(randomly_allocated(ReportNoisyMax{.scale = 1}, 3)).is_exact());
}

TEST_CASE("sampling.random_allocation.losses_whose_ratios_are_no_doubles") {
  // Less than 1e-6 is lacking of 1: all but that of P lies where Q has next to nothing.
  const auto before = contradictions();
  for (const Mechanism& base : {Mechanism(Gaussian{.sigma = 0.03}), Mechanism(Gaussian{.sigma = 0.05}),
                                Mechanism(Laplace{.scale = 0.001}), Mechanism(Laplace{.scale = 0.003})}) {
    const Composition run = Composition().add(randomly_allocated(base, 3));
    for (const DirectionChoice direction : {remove_one, add_one}) {
      CAPTURE(base.text());
      const DeltaAnswer found = delta(run, {.epsilon = 0.3, .direction = direction});
      CHECK(found.upper >= 1 - 1e-6);
      CHECK(found.lower >= 0);
    }
  }
  CHECK(contradictions() == before);
}

TEST_CASE("sampling.random_allocation.epsilon_by_what_is_lacking_of_one") {
  const auto before = contradictions();
  for (const double steps : {50, 1000}) {
    for (const DirectionChoice direction : {remove_one, add_one}) {
      // delta(epsilon) >= 1 - e^epsilon, and hardly more here: of 50 steps and an added record epsilon is 1.463e-9
      // above, by the largest ratio alone and 100,000 draws of the others.
      const Composition run = Composition().add(randomly_allocated(Gaussian{.sigma = 1}, steps));
      const Bracket found = epsilon(run, {.delta = 0.9, .tolerance = 1e-6, .direction = direction});
      CHECK(found.lower <= std::log(0.1) + (steps == 50 && direction == add_one ? 1.463e-9 : 1e-12));
      CHECK(found.upper >= std::log(0.1) - 1e-15);
      CHECK(found.upper <= std::log(0.1) + 1e-4);
    }
  }
  // delta = 0.5924591304695367 by binomials of 70 digits.
  const MassTable table{{0.6135614929009297, 0.38643850709907035}, {0.21861443161026112, 0.7813855683897389}};
  const Bracket found = epsilon(Composition().add(randomly_allocated(table, 30)),
                                {.delta = 0.5924591304695367, .tolerance = 1e-6, .direction = add_one});
  CHECK(found.lower <= -0.8976140580039651);
  CHECK(found.upper >= -0.8976140580039653);
  CHECK(found.upper <= -0.89761);
  CHECK(contradictions() == before);
}

TEST_CASE("sampling.random_allocation.epochs_of_many_steps") {
  // From both sides by another program: the same order of laws at 2500 nodes, and this library's lattice.
  const Composition run = Composition().add(randomly_allocated(Gaussian{.sigma = 1}, 195), 30);
  const Bracket remove = epsilon(run, {.delta = 1e-5, .tolerance = 3e-4, .direction = remove_one});
  CHECK(remove.lower >= 2.0910);
  CHECK(remove.upper <= 2.0922);
  CHECK(remove.lower <= 2.09183);
  CHECK(remove.upper >= 2.09142);
}

const Outcomes three_outcomes{{0.5, 0.1}, {0.3, 0.3}, {0.2, 0.6}};
Mechanism three_outcomes_table() { return MassTable{{0.5, 0.3, 0.2}, {0.1, 0.3, 0.6}}; }

/// The least type II error of a test with type I error alpha, by the most likely outcomes.
double enumerated_trade_off(Outcomes all, double alpha, bool removing) {
  if (!removing)
    for (Masses& m : all) std::swap(m.with, m.without);
  std::sort(all.begin(), all.end(),
            [](const Masses& a, const Masses& b) { return a.with * b.without > b.with * a.without; });
  double beta = 1;
  for (const Masses& m : all) {
    if (alpha < m.without) return beta - m.with * alpha / m.without;
    alpha -= m.without, beta -= m.with;
  }
  return 0;
}

/// Of two steps log R is mu u / sqrt 2 - mu^2 / 2 + log cosh(mu v / sqrt 2), u and v standard normal: deltas of several
/// epochs by the inverse Laplace transform of its moments, one integral each, with 30 digits of mpmath.
TEST_CASE("sampling.random_allocation.epochs_of_two_steps_by_their_own_transform") {
  struct Epochs {
    double sigma;
    std::int64_t count;
    double epsilon;
    DirectionChoice direction;
    double delta;
  };
  for (const auto& [sigma, count, epsilon, direction, truth] :
       std::vector<Epochs>{{1, 5, 4, remove_one, 0.03644167018262866217},
                           {1, 5, 2, add_one, 0.21406890016937841372},
                           {0.5, 5, 20, remove_one, 0.00084752244516622357814},
                           {4, 100, 2, remove_one, 0.24539589931364892796},
                           {4, 100, 1, add_one, 0.42981850887373207637},
                           {1, 6, 8, remove_one, 0.00031953661983618938365}}) {
    const Composition run = Composition().add(randomly_allocated(Gaussian{.sigma = sigma}, 2), count);
    const DeltaAnswer found = delta(run, {.epsilon = epsilon, .direction = direction});
    CHECK(found.lower <= truth);
    CHECK(truth <= found.upper);
    CHECK(found.width() <= 1e-11 * truth);
  }
}

TEST_CASE("sampling.random_allocation.every_door_of_a_few_steps") {
  const auto before = contradictions();
  for (const int epochs : {1, 2}) {
    const Outcomes all = repeated(epoch_of(three_outcomes, 4), epochs);
    const Composition run = Composition().add(randomly_allocated(three_outcomes_table(), 4), epochs);
    const PrivacyProfile profile(run);
    for (const bool removing : {true, false}) {
      const DirectionChoice direction = removing ? remove_one : add_one;
      for (const double at : {-0.7, -0.1, 0.0, 0.2, 0.45}) {
        const double want = hockey_stick(all, at, removing);
        CAPTURE(at);
        CAPTURE(removing);
        const Bracket found = profile.delta(at, direction);
        CHECK(found.lower <= want * (1 + 1e-12));
        CHECK(found.upper >= want * (1 - 1e-12));
        CHECK(found.upper - found.lower <= 2e-3 * want + 1e-12);
        // And back again.
        const Bracket back = profile.epsilon(want, direction);
        CHECK(back.lower <= at + 1e-10);
        CHECK(back.upper >= at - 1e-10);
        CHECK(back.upper - back.lower <= 1e-3);
      }
      const TradeOff curve = trade_off(run, direction);
      for (const double alpha : {0.01, 0.2, 0.5, 0.9}) {
        CAPTURE(alpha);
        const double want = enumerated_trade_off(all, alpha, removing);
        const Bracket beta = curve(alpha);
        CHECK(beta.lower <= want * (1 + 1e-12));
        CHECK(beta.upper >= want * (1 - 1e-12));
        CHECK(beta.upper - beta.lower <= 1e-2);
      }
    }
  }
  CHECK(contradictions() == before);
}

TEST_CASE("sampling.random_allocation.several_steps_lie_between_what_is_proved") {
  for (const int steps : {2, 3, 5}) {
    for (int in = 2; in <= std::min(steps, 3); ++in) {
      for (const int epochs : {1, 2}) {
        if (steps == 5 && epochs == 2) continue;
        const Outcomes all = repeated(epoch_of(three_outcomes, steps, in), epochs);
        const Composition run =
            Composition().add(randomly_allocated_to_several(three_outcomes_table(), steps, in), epochs);
        CHECK(run.is_exact() == (steps == in));
        for (const bool removing : {true, false}) {
          for (const double at : {0.0, 0.3, 0.9}) {
            CAPTURE(steps);
            CAPTURE(in);
            CAPTURE(epochs);
            CAPTURE(at);
            const double want = hockey_stick(all, at, removing);
            const DeltaAnswer found = delta(run, {.epsilon = at, .direction = removing ? remove_one : add_one});
            CHECK(found.lower <= want * (1 + 1e-12));
            CHECK(found.upper >= want * (1 - 1e-12));
            // In every step nothing is random.
            if (steps == in) CHECK(found.upper <= want * (1 + 2e-3));
            // One outcome in a hundred is not what keeps the two apart.
            CHECK(found.lower >= 0.5 * want - 1e-3);
            CHECK(found.upper <= 2 * want + 1e-3);
          }
        }
      }
    }
  }
}

TEST_CASE("sampling.random_allocation.several_of_many_steps") {
  const Composition run = Composition().add(randomly_allocated_to_several(Gaussian{.sigma = 1}, 1000, 4), 3);
  const Answer found = epsilon(run, {.delta = 1e-5});
  CHECK_FALSE(found.exact);
  // By the first two moments of the ratio alone: four in a thousand steps are about a Gaussian pair with these.
  CHECK(found.upper > found.lower);
  CHECK(found.lower > 0.6 * found.upper);
  // Never less than what steps that are not drawn at random lose, and more than one step of each epoch does.
  CHECK(found.upper < epsilon(Composition().add(Gaussian{.sigma = 1}, 12), {.delta = 1e-5}).lower);
  CHECK(found.lower > epsilon(Composition().add(randomly_allocated(Gaussian{.sigma = 1}, 1000), 3),
                              {.delta = 1e-5, .tolerance = 1e-2})
                          .upper);
}

TEST_CASE("sampling.random_allocation.groups_of_two_records_in_two_steps") {
  // Each of two records adds 1 to the sum of its step; the noise beyond 40 has less than e^-28.
  constexpr double a = 0.7;
  constexpr int far = 40;
  const auto noise = [](int x) { return std::tanh(a / 2) * std::exp(-a * std::abs(x)); };
  Outcomes all;
  for (int y = -far; y <= far; ++y)
    for (int z = -far; z <= far; ++z) {
      const double both = noise(y - 2) * noise(z) + noise(y) * noise(z - 2), apart = noise(y - 1) * noise(z - 1);
      all.push_back({both / 4 + apart / 2, noise(y) * noise(z)});
    }
  Composition run(Neighbours(Relation::add_remove, 2));
  run.add(randomly_allocated(DiscreteLaplace{.a = a}, 2));
  CHECK_FALSE(run.is_exact());
  for (const bool removing : {true, false}) {
    for (const double at : {0.0, 0.5, 1.1}) {
      CAPTURE(removing);
      CAPTURE(at);
      const double want = hockey_stick(all, at, removing);
      const DeltaAnswer found = delta(run, {.epsilon = at, .direction = removing ? remove_one : add_one});
      CHECK(found.lower <= want + 1e-9);
      CHECK(found.upper >= want - 1e-9);
      CHECK(found.upper <= 2 * want + 1e-3);
    }
  }
}

TEST_CASE("sampling.random_allocation.replaced_records_in_two_steps") {
  // All values of the record and of another one beside it; the noise beyond 30 has less than e^-20.
  constexpr double a = 0.7;
  constexpr int far = 30;
  const auto noise = [](int x) { return std::tanh(a / 2) * std::exp(-a * std::abs(x)); };
  const auto epoch = [&](int value, int other) {
    std::vector<double> all;
    for (int y = -far; y <= far; ++y)
      for (int z = -far; z <= far; ++z)
        all.push_back((noise(y - value - other) * noise(z) + noise(y - value) * noise(z - other) +
                       noise(y - other) * noise(z - value) + noise(y) * noise(z - value - other)) /
                      4);
    return all;
  };
  Composition run(Relation::replace_one);
  run.add(randomly_allocated(DiscreteLaplace{.a = a}, 2));
  CHECK_FALSE(run.is_exact());
  for (const double at : {0.0, 0.4, 0.8, 1.2}) {
    double most = 0;
    for (const int other : {-1, 0, 1}) {
      for (const int value : {-1, 0, 1}) {
        for (const int replaced : {-1, 0, 1}) {
          const std::vector<double> p = epoch(value, other), q = epoch(replaced, other);
          double sum = 0;
          for (std::size_t i = 0; i < p.size(); ++i) sum += std::max(0.0, p[i] - std::exp(at) * q[i]);
          most = std::max(most, sum);
        }
      }
    }
    CAPTURE(at);
    const DeltaAnswer found = delta(run, {.epsilon = at});
    CHECK(found.lower <= most + 1e-8);
    CHECK(found.upper >= most - 1e-8);
    if (at < a) CHECK(found.lower >= 0.2 * most - 1e-3);  // beyond it a removal loses nothing
    CHECK(found.upper <= 2 * most + 1e-2);
  }
}

TEST_CASE("sampling.random_allocation.replaced_records_of_many_steps") {
  // A removal and then an addition, which no number of nodes for a first law spoils; and a removal alone from below.
  const Mechanism epoch = randomly_allocated(Gaussian{.sigma = 1}, 195);
  const Composition removed = Composition().add(epoch, 30);
  const Answer found = epsilon(Composition(Relation::replace_one).add(epoch, 30), {.delta = 1e-5});
  const Bracket least = epsilon(removed, {.delta = 1e-5, .tolerance = 1e-3});
  CHECK(found.lower >= 0.99 * least.lower);
  CHECK(found.lower <= least.upper);
  double halves = 0;  // delta / 2 for the first step, e^-epsilon of it for the second
  for (const auto& [direction, share] : {std::pair{remove_one, 0.5e-5}, std::pair{add_one, 0.5e-5 * std::exp(-2.25)}})
    halves += epsilon(removed, {.delta = share, .tolerance = 1e-3, .direction = direction}).upper;
  CHECK(found.upper <= halves);
  CHECK(found.upper >= 2 * least.lower);
  // Bins that stay, and several steps a pass; of a guarantee nothing is known but the unsampled one.
  for (const Mechanism& other :
       {allocated_once(Laplace{.scale = 1}, 20, 3), randomly_allocated_to_several(Laplace{.scale = 1}, 20, 3)}) {
    const Answer replaced = epsilon(Composition(Relation::replace_one).add(other), {.delta = 1e-3});
    CHECK(replaced.lower > 0);
    CHECK(replaced.upper < 6);  // three releases that are not sampled: sensitivity 2 each
    CHECK(replaced.upper > replaced.lower);
  }
  CHECK(epsilon(Composition(Relation::replace_one).add(randomly_allocated(ApproximateDp{.epsilon = 0.3}, 4)),
                {.delta = 1e-3})
            .upper <= 0.3);
}

// Masses of its steps' laws are rounded up, those of 300 epochs to 1 + 1e-10: nothing that is said of delta may
// exceed 1.
TEST_CASE("sampling.random_allocation.laws_that_weigh_more_than_one") {
  const std::int64_t before = contradictions();
  const Mechanism epoch = randomly_allocated(Laplace{.scale = 0.4}, 5);
  const DeltaAnswer found = delta(Composition(Relation::replace_one).add(epoch, 300), {.epsilon = 0});
  CHECK(found.lower > 0.999);
  CHECK(contradictions() == before);
}

// Of so many passes the ratio is no double: next to 0 without the record, beyond all with it. Truths: 1 less what no
// double tells; what a binomial sum over the record's own step has, in mpmath.
TEST_CASE("sampling.random_allocation.passes_that_expose_all") {
  const auto most = [](const Mechanism& m, const Neighbours& neighbours, DirectionChoice direction, double epsilon) {
    const auto before = contradictions();
    const DeltaAnswer found = delta(Composition(neighbours).add(m), {.epsilon = epsilon, .direction = direction});
    CHECK(contradictions() == before);
    return found.upper;
  };
  const auto passes = [](const Mechanism& base, double steps, double of) { return allocated_once(base, steps, of); };
  const Neighbours one(Relation::add_remove), replaced(Relation::replace_one), two(Relation::add_remove, 2);
  const Mechanism laplace = passes(Laplace{.scale = 0.1}, 1000, 100);
  CHECK(most(laplace, two, DirectionChoice::worst, 10) > 0.999999);
  CHECK(most(laplace, replaced, DirectionChoice::worst, 10) > 0.999999);
  CHECK(most(laplace, one, DirectionChoice::add, 10) > 0.999999);
  const auto guarantee = [](double epsilon) { return ApproximateDp{.epsilon = epsilon, .delta = 0}; };
  CHECK(most(passes(guarantee(3), 100, 1000), one, DirectionChoice::add, 1) > 0.999999);
  CHECK(most(passes(guarantee(20), 1000, 50), one, DirectionChoice::add, 10) > 0.999999);
  CHECK(most(passes(guarantee(2), 1000, 350), one, DirectionChoice::remove, 503.1) >= 0.8244);
  CHECK(most(passes(guarantee(1), 1000, 1200), one, DirectionChoice::remove, 524.5) >= 0.766);
  CHECK(epsilon(Composition().add(passes(Laplace{.scale = 0.01}, 1000, 50)), {.delta = 0}).upper < 5001);
}

TEST_CASE("sampling.random_allocation.infinite_losses_only_expose_all") {
  const Mechanism told = randomly_allocated(ApproximateDp{.epsilon = 0, .delta = 1}, 3);
  CHECK(told.pair(Direction::remove)->log_mass_at_plus_infinity() == 0);
  CHECK(told.pair(Direction::add)->log_mass_at_plus_infinity() == 0);
  CHECK(delta(Composition().add(told).add(Gaussian{}), {.epsilon = 0.5}).lower == 1);
  CHECK(epsilon(Composition().add(told).add(Gaussian{}), {.delta = 0.5}).lower == infinity);
}

TEST_CASE("sampling.random_allocation.bins_that_stay") {
  const Outcomes telling{{0.2, 0}, {0.5, 0.4}, {0.3, 0.6}};  // one outcome needs the record
  for (const auto& [table, outcomes] : {std::pair{three_outcomes_table(), three_outcomes},
                                        {Mechanism(MassTable{{0.2, 0.5, 0.3}, {0, 0.4, 0.6}}), telling}}) {
    for (const int steps : {2, 3}) {
      const Outcomes all = epoch_of(repeated(outcomes, 2), steps);
      const Composition run = Composition().add(allocated_once(table, steps, 2));
      CHECK(run.is_exact());
      for (const bool removing : {true, false}) {
        for (const double at : {0.0, 0.3, 0.9}) {
          CAPTURE(table.text());
          const double want = hockey_stick(all, at, removing);
          const DeltaAnswer found = delta(run, {.epsilon = at, .direction = removing ? remove_one : add_one});
          CHECK(found.lower <= want * (1 + 1e-12));
          CHECK(found.upper >= want * (1 - 1e-12));
          CHECK(found.upper - found.lower <= 2e-3 * want + 1e-12);
        }
      }
    }
  }
  // A group is on its way by laws whose whole mass must be 1.
  const auto before = contradictions();
  Composition pair_of_records(Neighbours(Relation::replace_one, 2));
  pair_of_records.add(allocated_once(TradeOffPoints{{0, 0.2, 0.7}, {0.8, 0.3, 0}}, 8, 3), 2);
  CHECK(delta(pair_of_records, {.epsilon = 1}).upper <= 1);
  CHECK(contradictions() == before);
  // Releases of Gaussian noise are one with less noise.
  for (const DirectionChoice direction : {remove_one, add_one}) {
    const EpsilonQuery query{.delta = 1e-6, .tolerance = 1e-3, .direction = direction};
    const Answer passes = epsilon(Composition().add(allocated_once(Gaussian{.sigma = 4}, 50, 9), 2), query);
    const Answer once = epsilon(Composition().add(randomly_allocated(Gaussian{.sigma = 4.0 / 3}, 50), 2), query);
    CHECK(passes.converged);
    CHECK(passes.lower <= once.upper);
    CHECK(once.lower <= passes.upper);
  }
}

TEST_CASE("sampling.random_allocation.tolerances_are_met_at_tiny_deltas") {
  const auto before = contradictions();
  const Composition run = Composition().add(randomly_allocated(Gaussian{.sigma = 1}, 195));
  for (const DirectionChoice direction : {remove_one, add_one}) {
    for (const double delta : {1e-12, 1e-30, 1e-60}) {
      CAPTURE(delta);
      const Answer found = epsilon(run, {.delta = delta, .tolerance = 1e-3, .direction = direction});
      CHECK(found.converged);
      CHECK(found.upper - found.lower <= 1e-3 * found.upper);
    }
  }
  CHECK(contradictions() == before);
}

TEST_CASE("sampling.random_allocation.far_tails_by_independent_routes") {
  const auto before = contradictions();
  struct Tail {
    Mechanism base;
    double steps;
    double delta;
    DirectionChoice direction;
    double epsilon, doubt;
  };
  // Gaussian: one ratio alone is large, and the others add up to their mean: 194 for 2000 moves epsilon by 7e-7.
  // Laplace: what all hundred ratios near e^-1 add up to, by a power series of their density's transform in 60 digits.
  const std::vector<Tail> tails{
      {Gaussian{.sigma = 1}, 195, 1e-100, remove_one, 16.3545086136, 1e-8},
      {Laplace{.scale = 1}, 100, 1e-30, add_one, 0.995234490462621617534891559642773507, 1e-15},
      {Laplace{.scale = 1}, 100, 1e-31, add_one, 0.997284466602099965736608235158498007, 1e-15},
  };
  for (const Tail& tail : tails) {
    CAPTURE(tail.base.text());
    CAPTURE(tail.delta);
    const Composition run = Composition().add(randomly_allocated(tail.base, tail.steps));
    const Answer found = epsilon(run, {.delta = tail.delta, .tolerance = 1e-4, .direction = tail.direction});
    CHECK(found.converged);
    CHECK(found.lower <= tail.epsilon + tail.doubt);
    CHECK(found.upper >= tail.epsilon - tail.doubt);
    CHECK(found.upper - found.lower <= 1.001e-4 * found.upper);
  }
  CHECK(contradictions() == before);
}

TEST_CASE("sampling.random_allocation.epochs_of_little_noise_and_tiny_deltas") {
  const Composition run = Composition().add(randomly_allocated(Gaussian{.sigma = 0.3}, 50), 3);
  const Answer loud = epsilon(run, {.delta = 1e-6, .tolerance = 1e-3});
  CHECK(loud.converged);
  // No less than one epoch of the three loses, no more than without sampling.
  CHECK(loud.lower > epsilon(Composition().add(randomly_allocated(Gaussian{.sigma = 0.3}, 50)), {.delta = 1e-6}).upper);
  CHECK(loud.upper < epsilon(Composition().add(Gaussian{.sigma = 0.3}, 3), {.delta = 1e-6}).lower);
  const Composition epochs = Composition().add(randomly_allocated(Gaussian{.sigma = 1}, 195), 30);
  // By another route: terms below 90 added up by a transform, one or two larger ones by quadrature, epochs by a
  // transform under the saddle point's tilt. Other spacings and another bound than 90 move it by 3e-4.
  constexpr double rare = -550.1570, doubt = 5e-4;
  const DeltaAnswer found = delta(epochs, {.epsilon = 60, .tolerance = 0.1});
  CHECK(found.converged);
  CHECK(found.log_delta.lower <= rare + doubt);
  CHECK(found.log_delta.upper >= rare - doubt);
  CHECK(found.log_delta.width() < 0.1);
}

// The first question paid for the laws, and had less work left than the second: 1.42358 and 1.42168.
TEST_CASE("sampling.random_allocation.a_second_answer_is_the_first") {
  const Composition run = Composition(Relation::replace_one).add(randomly_allocated(Gaussian{.sigma = 0.748}, 1000), 3);
  const Answer first = epsilon(run, {.delta = 1e-6}), second = epsilon(run, {.delta = 1e-6});
  CHECK(first.lower == second.lower);
  CHECK(first.upper == second.upper);
}

// A calibration makes many of these, and an addition is asked about alone.
TEST_CASE("sampling.random_allocation.a_law_is_worked_out_where_somebody_looks") {
  const double before = Work::taken();
  const Composition run = Composition(Relation::zero_out)
                              .add(randomly_allocated_to_several(Laplace{.scale = 3}, 1e6, 50))
                              .add(allocated_once(RandomizedResponse{.p = 0.6}, 50, 9));
  CHECK(Work::taken() == before);
  CHECK(delta(run, {.epsilon = 3, .direction = DirectionChoice::add}).upper < 1);
  CHECK(Work::taken() > before);
}

}  // namespace
}  // namespace pld
