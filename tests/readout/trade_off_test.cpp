#include "pld/readout/trade_off.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/readout_reference.hpp"

namespace {

using namespace pld;
using test::as_double;
using test::check_holds;
using test::Real;

const std::vector<double> some_alphas{1e-300, 1e-100, 1e-12, 1e-5, 0.01, 0.1, 0.3, 0.5, 0.8, 0.95, 0.9999, 1 - 1e-12};

Composition sgd() { return Composition().add(poisson_sampled(Gaussian{.sigma = 0.8}, 0.005), 1000); }
Composition one(const Mechanism& mechanism, std::int64_t count = 1) { return Composition().add(mechanism, count); }

/// Both ends hold the truth, and relative to whichever error is the smaller they are as close as `tolerance`.
void check_point(const OperatingPoint& found, const test::ExactErrors& exact, double tolerance) {
  CAPTURE(found.alpha);
  const auto log_of = [](const Real& x, const Real& rest) { return as_double(rest < 1e-20 ? -rest : log(x)); };
  CHECK_INSIDE(found.log_power, log_of(exact.power, exact.beta));
  CHECK_INSIDE(found.log_beta, log_of(exact.beta, exact.power));
  CHECK_INSIDE(found.power, as_double(exact.power));
  CHECK_INSIDE(found.beta, as_double(exact.beta));
  CHECK(std::min(found.log_power.width(), found.log_beta.width()) <= tolerance);
  CHECK(found.power.lower <= found.power.estimate);
  CHECK(found.beta.estimate <= found.beta.upper);
}

}  // namespace

// Below the smallest loss delta is larger than there, so that what holds there is no bound. The table's own f, by exact
// sums; noise that loses 1e-6 moves it by less.
TEST_CASE("readout.trade_off.losses_that_are_all_positive_match_exact_sums") {
  Composition run;
  run.add(MassTable{.p = {0, 0.875, 0.125}, .q = {0.125, 0.84765625, 0.02734375}}, 2);
  run.add(Laplace{.scale = 1e6});
  const TradeOff f(PrivacyProfile(run), DirectionChoice::add);
  const std::pair<double, double> exact[] = {{0.1, 0.67177734375}, {0.2, 0.5779296875}, {0.5, 0.29638671875}};
  for (const auto& [alpha, beta] : exact) {
    const OperatingPoint found = f.at(alpha);
    CAPTURE(alpha);
    CHECK(found.beta.lower <= beta + 2e-6);
    CHECK(found.beta.upper >= beta - 2e-6);
    CHECK(found.beta.width() <= 1e-3);
  }
}

// Of laws that are rounded to a side only that end counts. Where Q is one outcome with P's 3/4 the power is alpha /
// (3/4).
TEST_CASE("readout.trade_off.rounded_laws_contradict_nothing") {
  const std::int64_t before = contradictions();
  const Mechanism table = MassTable{.p = {0.75, 0.25}, .q = {1, 0}};
  for (const double steps : {2, 3, 1000}) {
    CAPTURE(steps);
    const TradeOff f(PrivacyProfile(one(randomly_allocated(table, steps))), DirectionChoice::add);
    for (const double alpha : {0.3, 0.5, 0.7}) {
      const Bracket power = f.at(alpha).power;
      CHECK_INSIDE(power, alpha / 0.75);
    }
  }
  // What little work leaves of one direction's lower bound is far below what the other one's tells.
  Composition loud(Relation::zero_out);
  const GaussianMixture rarely_far{.sigma = 49.337,
                                   .shifts = {0, 0.0629490783, 22.41577258, 3084.894599},
                                   .weights = {0.6396484375, 0.033203125, 0.1171875, 0.2099609375}};
  loud.add(randomly_allocated(rarely_far, 11), 4);
  loud.add(TruncatedConcentratedDp{.rho = 0.0018862, .omega = 7261.1});
  const Bracket power = trade_off(loud, DirectionChoice::worst, {.tolerance = 1e-12}).at(0.00017109).power;
  CHECK_INSIDE(power, 1 - std::pow(1 - 0.2099609375, 4) + 0.00017109);  // the others tell 2e-4 more at most
  CHECK(contradictions() == before);
}

// At each alpha the line's epsilon is 0 or beside it, where one direction's law gives place to the other's. By exact
// sums over all outcomes.
TEST_CASE("readout.trade_off.rounded_laws_are_narrow_where_two_meet") {
  const Mechanism hiding = IntegerNoise{.masses = {0.0625, 0.875, 0.0625}};
  const Mechanism table = MassTable{.p = {0.21875, 0.375, 0.40625}, .q = {0.4375, 0.4375, 0.125}};
  struct Met {
    Composition run;
    DirectionChoice direction;
    double alpha, power;
  };
  const Met all[] = {
      {one(randomly_allocated(hiding, 2), 2), DirectionChoice::remove, 0.014663696303726197, 0.8935699463037262},
      {one(randomly_allocated(hiding, 2), 4), DirectionChoice::add, 0.016631529433636126, 0.9935700891073627},
      {one(randomly_allocated(table, 3)).add(IntegerNoise{.masses = {0.5, 0.5}}), DirectionChoice::add, 0.227294921875,
       0.8349609375},
  };
  for (const auto& [run, direction, alpha, power] : all) {
    const OperatingPoint found = trade_off(run, direction, {.tolerance = 1e-7}).at(alpha);
    CAPTURE(alpha);
    CHECK_INSIDE(found.power, power);
    CHECK(found.power.width() <= 1e-4);
  }
}

// By exact sums the better test has power 0.6748 and 0.6782 there, and the envelope of both 0.6793 and 0.6843.
TEST_CASE("readout.trade_off.of_rounded_laws_it_is_told_where_no_test_is_as_good_as_f") {
  const Composition run = one(randomly_allocated(MassTable{.p = {0.75, 0.25}, .q = {0.25, 0.75}}, 3), 2);
  struct Told {
    double alpha, test, envelope;
  };
  for (const auto [alpha, test, envelope] : {Told{0.275, 0.6749, 0.679}, Told{0.28, 0.6783, 0.684}}) {
    const OperatingPoint found = trade_off(run, DirectionChoice::worst, {.tolerance = 1e-6}).at(alpha);
    CHECK(!found.attained);
    CHECK(found.power.lower < test);
    CHECK(found.power.upper > envelope);
  }
}

// What an upper law's lower ends say does not count: a test that comes up to them need not be the better one.
TEST_CASE("readout.trade_off.upper_laws_bound_both_directions") {
  for (const double steps : {2, 4}) {
    const Mechanism table = MassTable{.p = {0.75, 0.125, 0.125}, .q = {0.5, 0.0625, 0.4375}};
    const PrivacyProfile profile(one(randomly_allocated(table, steps)), {.tolerance = 0.1});
    const TradeOff of_pairs(profile.of_pairs());
    for (int i = 1; i < 100; ++i) {
      const double alpha = i / 100.0;
      CAPTURE(alpha);
      const double most = of_pairs.at(alpha).power.upper;
      for (const DirectionChoice one : {DirectionChoice::remove, DirectionChoice::add})
        CHECK(most >= TradeOff(profile, one).at(alpha).power.lower);
    }
  }
}

// Two records, each with the table's p against q where it alone is in a step. Where both are, the table's best tests
// one after the other tell. By exact sums the group is recognised with power 0.378.
TEST_CASE("readout.trade_off.steps_of_allocated_groups_count_both_directions") {
  Composition two(Neighbours(Relation::add_remove, 2));
  two.add(randomly_allocated(MassTable{.p = {0.65625, 0.09375, 0.25}, .q = {0.25, 0.03125, 0.71875}}, 3));
  for (const double tolerance : {0.1, 1e-3})
    CHECK(trade_off(two, DirectionChoice::worst, {.tolerance = tolerance}).at(0.05).power.upper >= 0.378071162246318);
}

// Where the line turns at about an epsilon of 0 either direction's law has too few readings for a kink by themselves.
TEST_CASE("readout.trade_off.rounded_laws_are_narrow_where_their_directions_meet") {
  const TradeOff f(PrivacyProfile(one(randomly_allocated(Gaussian{.sigma = 2}, 100), 10)));
  for (const double alpha : {0.45, 0.457, 0.4573780281926498, 0.4575, 0.46}) {
    CAPTURE(alpha);
    CHECK(f(alpha).width() <= 1e-3 * f(alpha).lower);
  }
}

// A converted profile is a minimum of bounds and jumps between them: nothing that asks it to be convex is proved.
// Gaussian noise of mu^2 = 2 rho has the guarantee, and errs no less than what is certified.
TEST_CASE("readout.trade_off.converted_guarantees_contradict_nothing") {
  const std::int64_t before = contradictions();
  for (const double rho : {18.0, 20.0, 25.0}) {
    const TradeOff f = trade_off(one(ConcentratedDp{.rho = rho}));
    for (const double alpha : {1e-9, 1e-4, 1e-2}) {
      CAPTURE(rho);
      CAPTURE(alpha);
      CHECK(f.at(alpha).beta.lower <= as_double(test::gaussian_errors(std::sqrt(2 * rho), alpha).beta));
    }
  }
  std::vector<double> many;
  for (int i = 0; i < 40; ++i) many.push_back(1e-12 * std::pow(0.9e12, i / 39.0));
  Composition replaced(Relation::replace_one);
  replaced.add(ConcentratedDp{.rho = 4.079, .xi = 5}, 2);
  for (const OperatingPoint& point : trade_off(replaced).at(many)) CHECK(point.beta.lower <= point.beta.upper);
  CHECK(contradictions() == before);
}

// At an alpha that a test attains without a toss all lines between two losses touch f. Sums of shares with denominator
// 2^50 at most are exact in doubles.
TEST_CASE("readout.trade_off.narrow_at_each_vertex_of_repeated_randomized_response") {
  for (const double p : {0.75, 0.875, 1023.0 / 1024})
    for (int n = 1; n <= (p < 0.9 ? 13 : 5); ++n) {
      const TradeOff f = trade_off(one(MassTable{.p = {p, 1 - p}, .q = {1 - p, p}}, n));
      double alpha = 0, beta = 1, ways = 1;
      for (int k = n; k > 0; ways = ways * k / (n - k + 1), --k) {
        alpha += ways * std::pow(1 - p, k) * std::pow(p, n - k);
        beta -= ways * std::pow(p, k) * std::pow(1 - p, n - k);
        CAPTURE(p);
        CAPTURE(n);
        CAPTURE(k);
        const Bracket found = f.at(alpha).beta;
        CHECK_INSIDE(found, beta);
        CHECK(found.width() <= 1e-6 * beta);
      }
    }
}

TEST_CASE("readout.trade_off.gaussian_equals_its_closed_form") {
  for (const double mu : {1e-3, 0.3, 1.0, 10.0}) {
    const TradeOff f = trade_off(one(Gaussian{.sigma = 1, .sensitivity = mu}));
    CAPTURE(mu);
    for (const OperatingPoint& point : f.at(some_alphas)) {
      const auto exact = test::gaussian_errors(mu, point.alpha);
      check_point(point, exact, 1e-10);
      // Also of the smaller one, in relative terms.
      for (const auto& [found, value] : {std::pair{point.log_power, exact.power}, {point.log_beta, exact.beta}}) {
        CHECK(std::fabs(found.estimate - as_double(log(value))) <= 1e-10);
        CHECK(found.width() <= 1e-10);
      }
    }
  }
}

TEST_CASE("readout.trade_off.randomized_responses_equal_the_likelihood_ratio_test") {
  for (const unsigned k : {1u, 3u, 10u}) {
    const auto atoms = test::responses(0.75, k);
    CAPTURE(k);
    for (const OperatingPoint& point : trade_off(one(RandomizedResponse{.p = 0.75}, k)).at(some_alphas))
      check_point(point, test::likelihood_ratio_test(atoms, point.alpha), 2e-3);
  }
}

TEST_CASE("readout.trade_off.a_thousand_points_equal_the_gaussian's_closed_form") {
  for (const double mu : {0.05, 1.0, 8.0}) {
    std::vector<double> alphas, quantiles;
    for (int i = 0; i < 1000; ++i) {
      quantiles.push_back(-3 + 15.0 * i / 999);
      alphas.push_back(0.5 * std::erfc(quantiles.back() / std::sqrt(2.0)));
    }
    const Composition run = one(Gaussian{.sigma = 1, .sensitivity = mu});
    CAPTURE(mu);
    for (const Engine engine : {Engine::automatic, Engine::contour, Engine::lattice}) {
      const auto points = trade_off(run, DirectionChoice::worst, {.engine = engine}).at(alphas);
      CAPTURE(name(engine));
      for (std::size_t i = 0; i < points.size(); ++i) {
        const double x = quantiles[i], log_power = as_double(log(test::normal_cdf(Real(mu) - x))),
                     log_beta = as_double(log(test::normal_cdf(Real(x) - mu)));
        CAPTURE(x);
        // alpha itself is rounded, and 1 - alpha by that.
        const double doubt = 1e-13 * (1 + x * x + mu * std::fabs(x));
        const auto check = [&](const Bracket& found, double exact) {
          CHECK(found.lower <= exact + doubt);
          CHECK(found.upper >= exact - doubt);
        };
        check(points[i].log_power, log_power);
        check(points[i].log_beta, log_beta);
        const Bracket& smaller = log_power < log_beta ? points[i].log_power : points[i].log_beta;
        // Readings of the lattice are themselves as wide as the tolerance.
        CHECK(smaller.width() <= (engine == Engine::lattice ? 6e-3 : 1e-3));
        CHECK(std::fabs(smaller.estimate - std::min(log_power, log_beta)) <=
              (engine == Engine::lattice ? 1e-3 : 1e-4) + doubt);
      }
    }
  }
}

// Of the worst (epsilon, delta)-DP mechanism f(alpha) = 1 - delta - e^epsilon alpha left of its kink: nothing but
// rounding is between the bracket's ends and that.
TEST_CASE("readout.trade_off.to_the_last_digit") {
  std::mt19937_64 random(8);
  std::uniform_real_distribution<double> decades(-12, -0.4), epsilons(0, 3);
  for (int i = 0; i < 400; ++i) {
    const double delta = std::pow(10, decades(random)), epsilon = i % 2 == 0 ? 0 : epsilons(random);
    const double kink = (1 - delta) / (1 + std::exp(epsilon)), alpha = kink * std::pow(10, decades(random));
    const OperatingPoint found = trade_off(one(ApproximateDp{.epsilon = epsilon, .delta = delta})).at(alpha);
    const Real power = delta + exp(Real(epsilon)) * alpha;
    CAPTURE(delta);
    CAPTURE(epsilon);
    CAPTURE(alpha);
    check_holds(found.log_power, log(power));
    check_holds(found.power, power);
    check_holds(found.beta, 1 - power);
  }
}

// Lines shared by alphas that lie on top of each other, or nearly, of losses far from 0.
TEST_CASE("readout.trade_off.many_times_the_same_point") {
  const TradeOff f = trade_off(one(Gaussian{.sigma = 0.1}));
  for (const double alpha : {1e-20, 1e-3, 0.5}) {
    const Bracket alone = f.at(alpha).log_beta;
    for (const double apart : {0.0, 1e-15, 1e-9, 1e-6}) {
      std::vector<double> alphas;
      for (int i = 0; i < 40; ++i) alphas.push_back(alpha * (1 + apart * i));
      CAPTURE(alpha);
      CAPTURE(apart);
      const auto points = f.at(alphas);
      CHECK(points.front().log_beta.lower <= alone.upper);
      CHECK(alone.lower <= points.front().log_beta.upper);
      for (const OperatingPoint& point : points)
        CHECK(std::fmin(point.log_beta.width(), point.log_power.width()) <= 1e-3);
    }
  }
}

TEST_CASE("readout.trade_off.many_points_close_together") {
  std::vector<double> alphas;
  for (int i = 0; i < 60; ++i) alphas.push_back(0.1 * (1 + 1e-4 * i));
  for (const Composition& run :
       {one(Logistic{.scale = 5}, 4), one(Laplace{.scale = 10}, 100), one(Skellam{.variance = 30}, 3)}) {
    CAPTURE(run.releases().front().mechanism.text());
    const TradeOff f = trade_off(run);
    const auto points = f.at(alphas);
    for (std::size_t i = 0; i < alphas.size(); i += 15) {
      const Bracket alone = f.at(alphas[i]).log_beta;
      CHECK(points[i].log_beta.lower <= alone.upper);
      CHECK(alone.lower <= points[i].log_beta.upper);
    }
    for (const OperatingPoint& point : points)
      CHECK(std::fmin(point.log_beta.width(), point.log_power.width()) <= 1e-3);
  }
}

TEST_CASE("readout.trade_off.many_points_equal_the_likelihood_ratio_test") {
  std::vector<double> alphas;
  for (int i = 0; i < 400; ++i) alphas.push_back(std::pow(10, -30 + 29.9 * i / 399));
  for (int i = 1; i < 200; ++i) alphas.push_back(i / 200.0);
  for (const auto& answers : {std::pair{0.75, 1u}, {0.75, 10u}, {0.7, 20u}}) {
    const double p = answers.first;
    const unsigned k = answers.second;
    const auto atoms = test::responses(p, k);
    CAPTURE(k);
    // Straight pieces between kinks: none is wider than the readings at these.
    for (const OperatingPoint& point : trade_off(one(RandomizedResponse{.p = p}, k)).at(alphas))
      check_point(point, test::likelihood_ratio_test(atoms, point.alpha), 1e-7);
  }
}

// The search for the first line read next to the largest loss, where delta is e^-27 and no line shows it: two pieces
// there took all the work, and other points were up to .75 wide.
TEST_CASE("readout.trade_off.a_delta_that_no_line_shows_takes_no_work") {
  std::vector<double> alphas;
  for (int i = 1; i < 200; ++i) alphas.push_back(i / 200.0);
  for (const Composition& run : {one(Laplace{.scale = 2}, 3), one(Laplace{.scale = 2}, 5), one(Laplace{.scale = 1}, 4),
                                 one(GeneralizedGaussian{.shape = 1, .scale = 0.377}, 4),
                                 Composition().add(Laplace{.scale = 0.862}, 4).add(DiscreteLaplace{.a = 0.4625})}) {
    CAPTURE(run.releases().front().mechanism.text());
    for (const auto direction : {DirectionChoice::remove, DirectionChoice::worst}) {
      const auto points = trade_off(run, direction).at(alphas);
      for (std::size_t i = 0; i < alphas.size(); ++i) {
        CAPTURE(alphas[i]);
        CHECK(points[i].beta.width() <= 1e-3);
        if (i > 0) CHECK(points[i].beta.estimate <= points[i - 1].beta.estimate);
      }
      for (const std::size_t i : {std::size_t{50}, std::size_t{120}}) {
        const Bracket alone = trade_off(run, direction).at(alphas[i]).beta;
        CHECK(points[i].beta.lower <= alone.upper);
        CHECK(alone.lower <= points[i].beta.upper);
      }
    }
  }
}

// Readings for all points next to the largest loss were asked for alone, each with all the work there was.
TEST_CASE("readout.trade_off.readings_for_all_points_take_no_work_for_a_delta_that_none_shows") {
  std::vector<double> alphas;
  for (int i = 1; i < 200; ++i) alphas.push_back(i / 200.0);
  const Composition run = Composition()
                              .add(poisson_sampled(DiscreteGaussian{.sigma = 3.642}, 0.01), 12)
                              .add(ReportNoisyMax{.scale = 0.444}, 6);
  for (const OperatingPoint& point : trade_off(run, DirectionChoice::add).at(alphas)) CHECK(point.beta.width() <= 0.05);
}

// One piece for the first line took what all points need.
TEST_CASE("readout.trade_off.a_search_leaves_work_for_other_points") {
  std::vector<double> alphas;
  for (int i = 1; i < 200; ++i) alphas.push_back(i / 200.0);
  const Composition run = Composition()
                              .add(Laplace{.scale = 1.338}, 12)
                              .add(poisson_sampled(DiscreteGaussian{.sigma = 0.881}, 0.5), 8)
                              .add(GeneralizedGaussian{.shape = 1, .scale = 3.727}, 6);
  for (const OperatingPoint& point : trade_off(run).at(alphas)) CHECK(point.beta.width() <= 1e-3);
}

TEST_CASE("readout.trade_off.many_points_of_the_inverse") {
  std::vector<double> betas;
  for (int i = 0; i < 50; ++i) betas.push_back(i / 49.0);
  for (const auto direction : {DirectionChoice::worst, DirectionChoice::remove, DirectionChoice::add}) {
    const TradeOff f = trade_off(sgd(), direction);
    const auto all = f.inverse(betas);
    for (std::size_t i = 0; i < betas.size(); ++i) {
      const Bracket alone = f.inverse(betas[i]);
      CHECK(all[i].lower <= alone.upper);
      CHECK(alone.lower <= all[i].upper);
      CHECK(all[i].width() <= 2e-3);
    }
  }
}

TEST_CASE("readout.trade_off.one_randomized_response_is_two_straight_pieces") {
  const TradeOff f = trade_off(one(RandomizedResponse{.p = 0.75}));
  for (const double alpha : {0.0, 1e-9, 0.1, 0.2, 0.2500001, 0.4, 0.9, 1.0}) {
    const double beta = alpha <= 0.25 ? 1 - 3 * alpha : (1 - alpha) / 3;
    CAPTURE(alpha);
    CHECK_REL(f(alpha).lower, beta, 1e-10);
    CHECK_REL(f(alpha).upper, beta, 1e-10);
  }
}

TEST_CASE("readout.trade_off.approximate_dp_equals_its_closed_form") {
  // Wasserman, Zhou 2010; Kairouz, Oh, Viswanath 2015: the worst (epsilon, delta)-DP mechanism.
  const Real epsilon = 0.7, delta = 1e-3;
  const TradeOff f = trade_off(one(ApproximateDp{.epsilon = 0.7, .delta = 1e-3}));
  for (const double alpha : {1e-300, 1e-6, 0.05, 0.33, 0.4, 0.7, 0.998}) {
    const Real a = alpha, first = 1 - delta - exp(epsilon) * a, second = exp(-epsilon) * (1 - delta - a);
    const Real beta = first > second ? first : second;
    check_point(f.at(alpha), {1 - beta, beta}, 1e-9);
  }
  CHECK(f(0.9995).upper <= 1e-9);
  CHECK_INSIDE(f.at(0).power, 1e-3);
}

TEST_CASE("readout.trade_off.convex_and_decreasing_between_its_ends") {
  for (const Composition& run : {sgd(), one(Laplace{.scale = 10}, 20), one(DiscreteLaplace{.a = 0.4}, 3)}) {
    const TradeOff f = trade_off(run);
    std::vector<double> grid;
    for (int i = 0; i <= 60; ++i) grid.push_back(i / 60.0);
    const auto points = f.at(grid);
    for (std::size_t i = 1; i < points.size(); ++i) CHECK(points[i].beta.lower <= points[i - 1].beta.upper);
    for (std::size_t i = 1; i + 1 < points.size(); ++i)
      CHECK(points[i].beta.lower <= (points[i - 1].beta.upper + points[i + 1].beta.upper) / 2 + 1e-15);
    for (const OperatingPoint& point : points) CHECK(point.beta.lower <= 1 - point.alpha);
    CHECK(points.front().beta.upper == 1);
    CHECK(points.back().beta.upper == 0);
    for (const OperatingPoint& point : points) CHECK(point.beta.width() <= 2e-3);
  }
}

TEST_CASE("readout.trade_off.symmetric_ones_are_their_own_inverse") {
  for (const Composition& run : {one(Gaussian{.sigma = 1}), one(Laplace{.scale = 2}, 5), sgd()}) {
    const TradeOff f = trade_off(run);
    for (const double alpha : {1e-8, 1e-3, 0.05, 0.3, 0.6}) {
      const Bracket beta = f(alpha);
      CAPTURE(alpha);
      // f falls: f of the upper end is at most alpha.
      CHECK(f(beta.upper).lower <= alpha * (1 + 1e-9));
      CHECK(f(beta.lower).upper >= alpha * (1 - 1e-9));
      CHECK_REL(f(f(alpha).estimate).estimate, alpha, 2e-2);
    }
  }
}

TEST_CASE("readout.trade_off.directions_are_each_other's_inverse") {
  const TradeOff remove = trade_off(sgd(), DirectionChoice::remove), add = trade_off(sgd(), DirectionChoice::add);
  for (const double alpha : {1e-6, 0.02, 0.3, 0.8}) {
    const Bracket beta = remove(alpha);
    CAPTURE(alpha);
    CHECK_REL(add(beta.estimate).estimate, alpha, 1e-6);
    CHECK_REL(remove.inverse(beta.estimate).estimate, alpha, 1e-6);
  }
}

// It touches the smaller function at either end, where one direction is the worse; between, no test has its points.
TEST_CASE("readout.trade_off.worst_is_bounded_by_the_convex_envelope_and_attained_by_a_direction") {
  const Composition table = one(MassTable{.p = {0.5, 0.5}, .q = {0.05, 0.95}});
  for (const Composition& run : {sgd(), one(poisson_sampled(Gaussian{.sigma = 0.5}, 0.3)), table}) {
    const PrivacyProfile profile(run);
    const TradeOff worst(profile), remove(profile, DirectionChoice::remove), add(profile, DirectionChoice::add);
    std::vector<double> alphas;
    for (int i = 1; i < 40; ++i) alphas.push_back(i / 40.0);
    const auto many = worst.at(alphas);
    int touched = 0, below = 0;
    for (std::size_t i = 0; i < alphas.size(); ++i) {
      const OperatingPoint a = remove.at(alphas[i]), b = add.at(alphas[i]);
      for (const OperatingPoint& found : {worst.at(alphas[i]), many[i]}) {
        CAPTURE(found.alpha);
        const double least = std::min(a.beta.upper, b.beta.upper), most = std::max(a.power.lower, b.power.lower);
        const double slack = 2e-3 * std::min(least, 1 - least);
        CHECK(found.beta.lower <= least);
        CHECK(found.beta.upper >= std::min(a.beta.lower, b.beta.lower));
        CHECK(found.beta.upper <= least + slack);
        CHECK(found.power.upper >= most);
        CHECK(found.power.lower <= std::max(a.power.upper, b.power.upper));
        CHECK(found.power.lower >= most - slack);
        if (found.attained)
          CHECK(found.power.width() <= 2 * slack);
        else
          CHECK(found.power.upper > std::max(a.power.upper, b.power.upper));
        (found.attained ? touched : below) += 1;
      }
    }
    CHECK(touched >= 4);
    CHECK(below >= 2);
  }
  const OperatingPoint found = trade_off(table).at(0.1);
  CHECK(!found.attained);
  CHECK_REL(found.power.upper, 0.55, 1e-6);
  CHECK_REL(found.power.lower, 0.5 + 0.05 * 0.5 / 0.95, 1e-6);
  CHECK(true_positive_rate(trade_off(table), 0.1).lower == found.power.lower);
}

TEST_CASE("readout.trade_off.back_to_the_profile") {
  // delta(epsilon) = 1 + f*(-e^epsilon) = max over alpha of power(alpha) - e^epsilon alpha.
  for (const Composition& run :
       {sgd(), one(Gaussian{.sigma = 2}), one(Laplace{.scale = 3}, 7), one(RandomizedResponse{.p = 0.6}, 9)}) {
    const PrivacyProfile profile(run);
    for (const auto direction : {DirectionChoice::worst, DirectionChoice::remove, DirectionChoice::add}) {
      const TradeOff f(profile, direction);
      std::vector<double> grid;
      for (int i = -40; i < 0; ++i) grid.push_back(std::pow(10, i / 5.0));
      const auto points = f.at(grid);
      for (const double epsilon : {0.1, 0.4, 1.0}) {
        const Bracket delta = profile.delta(epsilon, direction);
        CAPTURE(epsilon);
        for (const OperatingPoint& point : points)
          CHECK(point.power.lower - std::exp(epsilon) * point.alpha <= delta.upper + 1e-15);
        // At the point where the line of that slope touches, it is attained.
        const OperatingPoint touching = f.at_epsilon(epsilon);
        const double back = touching.power.upper - std::exp(epsilon) * touching.alpha;
        CHECK(back >= delta.lower * (1 - 1e-3));
        CHECK(touching.power.lower - std::exp(epsilon) * touching.alpha <= delta.upper + 1e-15);
      }
    }
  }
}

TEST_CASE("readout.trade_off.slope_belongs_to_the_operating_point") {
  const TradeOff f = trade_off(one(Gaussian{.sigma = 1}));
  for (const double epsilon : {-2.0, -0.5, 0.0, 0.7, 3.0}) {
    const OperatingPoint point = f.at_epsilon(epsilon);
    CHECK_REL(point.alpha, as_double(test::normal_cdf(Real(-epsilon) - Real(0.5))), 1e-6);
    CHECK(std::fabs(point.epsilon - epsilon) <= 1e-5);
  }
}

namespace {

/// At every `stride`-th of 39 alphas.
void check_no_line_lies_below(int stride) {
  // Power at alpha is the least delta(epsilon) + e^epsilon alpha: none of these, read by itself, may lie below what is
  // certified, also where two readings of a search came to lie on one point.
  const Composition quiet = one(poisson_sampled(Gaussian{.sigma = 20}, 1e-4), 2);
  const Composition leaky = one(poisson_sampled(ApproximateDp{.epsilon = 1, .delta = 1e-9}, 0.5), 5)
                                .add(poisson_sampled(Gaussian{.sigma = 3}, 0.01), 2);
  for (const Composition& run : {quiet, leaky, sgd()}) {
    const PrivacyProfile profile(run);
    const TradeOff f(profile);
    std::vector<double> epsilons, deltas;
    for (int j = -60; j < 20; ++j) {
      epsilons.push_back(std::pow(10, j / 10.0));
      deltas.push_back(profile.delta(epsilons.back()).upper);
    }
    for (int i = 1; i < 40; i += stride) {
      const double alpha = std::pow(10, -0.33 * i);
      const OperatingPoint alone = f.at(alpha);
      CAPTURE(alpha);
      for (std::size_t j = 0; j < epsilons.size(); ++j) {
        CAPTURE(epsilons[j]);
        CHECK(alone.power.lower <= (deltas[j] + std::exp(epsilons[j]) * alpha) * (1 + 1e-14));
      }
    }
  }
}

}  // namespace

TEST_CASE("readout.trade_off.no_line_lies_below") { check_no_line_lies_below(5); }

TEST_CASE("readout.trade_off.no_line_lies_below_at_more_alphas" * doctest::test_suite("slow")) {
  check_no_line_lies_below(1);
}

TEST_CASE("readout.trade_off.composing_more_never_helps") {
  Composition run = sgd();
  TradeOff before = trade_off(run);
  for (const Mechanism& more :
       {Mechanism(Laplace{.scale = 20}), Mechanism(RandomizedResponse{.p = 0.55}), Mechanism(Gaussian{.sigma = 9})}) {
    run.add(more);
    const TradeOff after = trade_off(run);
    for (const double alpha : {1e-9, 1e-3, 0.2, 0.7}) CHECK(after(alpha).lower <= before(alpha).upper);
    before = after;
  }
}

TEST_CASE("readout.trade_off.a_smaller_tolerance_never_makes_a_point_wider") {
  // Loud noise on samples: one reading to five digits takes a part of a second, and both ends are to have some.
  const Composition loud =
      one(truncated_poisson(Laplace{.scale = 0.17}, {.q = 0.0041347, .largest_batch = 1, .records = 6}), 3000);
  const OperatingPoint roughly = trade_off(loud, DirectionChoice::worst, {.tolerance = 1e-3}).at(0.0021162);
  const OperatingPoint finely = trade_off(loud, DirectionChoice::worst, {.tolerance = 1e-5}).at(0.0021162);
  CHECK(finely.power.upper <= 1.0001 * roughly.power.upper);
  CHECK(finely.power.lower >= 0.9 * roughly.power.lower);
}

TEST_CASE("readout.trade_off.a_smaller_tolerance_keeps_a_power_of_1") {
  const Composition certain = one(poisson_sampled(RandomizedResponse{.p = 1}, 0.5));
  for (const double tolerance : {1e-3, 1e-5})
    CHECK(trade_off(certain, DirectionChoice::add, {.tolerance = tolerance}).at(0.5).power.lower > 1 - 1e-12);
}

TEST_CASE("readout.trade_off.no_type_two_error_is_left_from_the_mass_on_that_P_has_none") {
  const Composition table = one(MassTable{.p = {0.484375, 0.515625, 0, 0}, .q = {0.15625, 0.015625, 0.015625, 0.8125}});
  for (const DirectionChoice direction : {DirectionChoice::remove, DirectionChoice::worst})
    CHECK(trade_off(table, direction).at(0.171875).power.lower > 1 - 1e-12);
  // About the same of loud noise, that has a density everywhere: without a hit are 0.9^10 = 0.35 of Q's outputs.
  const Composition loud = one(poisson_sampled(Gaussian{.sigma = 1e-6}, 0.1), 10);
  for (const double alpha : {0.5, 0.9})
    for (const DirectionChoice direction : {DirectionChoice::add, DirectionChoice::worst})
      CHECK(trade_off(loud, direction).at(alpha).power.lower > 1 - 1e-12);
}

TEST_CASE("readout.trade_off.loud_samples_are_as_good_as_their_hits") {
  // All is known with a hit, nothing without: the power is 1 - (1 - q)^n (1 - alpha).
  for (const double sigma : {1e-2, 1e-5, 1e-9}) {
    const Composition loud = one(poisson_sampled(Gaussian{.sigma = sigma}, 0.05), 17);
    for (const double alpha : {1e-4, 0.01, 0.3}) {
      const OperatingPoint found = trade_off(loud, DirectionChoice::remove).at(alpha);
      const double exact = -std::expm1(17 * std::log1p(-0.05) + std::log1p(-alpha));
      CAPTURE(sigma);
      CAPTURE(alpha);
      CHECK_INSIDE(found.power, exact);
      CHECK(found.power.width() < 1e-6);
    }
  }
}

TEST_CASE("readout.trade_off.refuses") {
  const TradeOff f = trade_off(sgd());
  CHECK_THROWS_AS((void)f(-0.1), DomainError);
  CHECK_THROWS_AS((void)f(1.1), DomainError);
  CHECK_THROWS_AS((void)f(NAN), DomainError);
  CHECK_THROWS_AS((void)f.at_epsilon(INFINITY), DomainError);
}

// A direction that needs all of the work for its piece left the other none, whose bound was then that of all. The
// profile's own lines prove more.
TEST_CASE("readout.trade_off.both_directions_have_work") {
  Composition batches(Relation::zero_out);
  batches.add(truncated_poisson(Gaussian{.sigma = 0.6}, {.q = 0.005, .largest_batch = 300, .records = 50000}), 1000);
  const double alpha = 0.01, epsilon = 1.5;
  const OperatingPoint found = TradeOff(PrivacyProfile(batches)).at(alpha);
  CHECK(found.power.upper <= delta(batches, {.epsilon = epsilon}).upper + std::exp(epsilon) * alpha);
  CHECK(found.power.lower >= 0.04);
}

// The estimate is that of the least bound, so that what no work was left for is not told to be narrow.
TEST_CASE("readout.trade_off.a_bound_of_steps_does_not_hide_how_wide_that_of_pairs_is") {
  Composition batches(Relation::zero_out);
  batches.add(truncated_poisson(Gaussian{.sigma = 1}, {.q = 0.005, .largest_batch = 300, .records = 50000}), 1000);
  const OperatingPoint found = TradeOff(PrivacyProfile(batches)).at(0.01);
  CHECK(found.power.estimate < 0.9999 * found.power.upper);  // .01787 of the pairs, .01788 by steps
}
