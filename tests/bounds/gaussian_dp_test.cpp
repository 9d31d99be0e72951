#include "pld/bounds/gaussian_dp.hpp"

#include "bounds/reference.hpp"
#include "pld/core/errors.hpp"
#include "support/checks.hpp"

namespace b = pld::bounds;
using pld::test::Real;

TEST_CASE("bounds.gdp.delta_matches_50_digits") {
  for (const double mu : {1e-6, 1e-3, 0.07, 0.3, 0.5, 0.51, 1.0, 3.0, 20.0, 2000.0}) {
    for (const double z :
         {-300.0, -30.0, -6.0, -1.0, 0.0, 0.5, 2.0, 8.0, 25.0, 36.0}) {  // epsilon in standard deviations of the loss
      const double epsilon = mu * mu / 2 + z * mu;
      const Real truth = log(pld::test::gaussian_delta(mu, epsilon));
      if (z > 10 && mu < 1e-3) continue;  // 50 digits do not hold the difference there
      CHECK(std::fabs(static_cast<double>(Real(b::gdp_log_delta(mu, epsilon)) - truth)) < 1e-12 * (1 + z * z));
    }
  }
}

TEST_CASE("bounds.gdp.no_number_is_lost_at_the_ends_of_doubles") {
  CHECK(b::gdp_log_delta(5e-324, 1) == -pld::infinity);
  CHECK_REL(b::gdp_log_delta(1e126, 1e260), -5e267 * (1 - 1e-8), 1e-12);
  CHECK_REL(b::gdp_delta(5e-324, -1e-10), 1e-10, 1e-9);
}

TEST_CASE("bounds.gdp.epsilon_is_the_least_that_satisfies") {
  for (const double mu : {1e-4, 0.0707, 1.0, 5.0}) {
    for (const double delta : {0.9, 0.2, 1e-5, 1e-15, 1e-100, 1e-300}) {
      const double epsilon = b::gdp_epsilon(mu, delta);
      const double slope = 1e-9 * (mu + std::fabs(epsilon));
      CHECK(b::gdp_log_delta(mu, epsilon) <= std::log(delta));
      CHECK(b::gdp_log_delta(mu, epsilon - slope) > std::log(delta));
    }
  }
}

TEST_CASE("bounds.gdp.trade_off_is_dual_to_delta") {
  // delta(eps) = sup over alpha of 1 - f(alpha) - e^eps alpha.
  for (const double mu : {1.0, 1.6, 2.5}) {
    for (const double epsilon : {0.0, 0.7, 2.0}) {
      double best = 0;
      for (int i = 1; i < 60000; ++i) {
        const double alpha = std::exp(-45 + 45 * i / 60000.0);
        best = std::max(best, 1 - b::gdp_trade_off(mu, alpha) - std::exp(epsilon) * alpha);
      }
      CHECK_REL(best, b::gdp_delta(mu, epsilon), 1e-5);
    }
  }
}

TEST_CASE("bounds.gaussian.log_delta_is_known_to_what_roundings_of_the_arguments_move_it_by") {
  // mpmath, 60 digits.
  struct Row {
    double mu, epsilon;
    const char* log_delta;
  };
  for (const auto& [mu, epsilon, log_delta] :
       std::vector<Row>{{0.001, 1.0, "-500021.1422074951195172245299665780975962"},
                        {1.0, 1000000.0, "-499999500028.6749596491359709499962184114"},
                        {0.47, 378949.57, "-325040047320.0402528993599056404466941917"},
                        {3.06, 146722.44, "-1149456457.515121009150782586104764005489"},
                        {130.5, 2156921.0, "-135513228.8357197147829606908793568428576"},
                        {578204.19, 167176040501.8, "-387.0035816869659012871641270482193941518"},
                        {0.123, 4.44, "-659.488098654739641555362262436529418025"},
                        {0.01, 0.001, "-5.651828171418146743629866997854138688808"},
                        {20.0, -3.0, "-3.363118923530651267084019254577857381618e-24"},
                        {0.1, -27.0, "-0.000000000001879528816540849609044373035162793514332"}}) {
    const double x = epsilon / mu - mu / 2, known = std::fabs(b::gdp_log_delta(mu, epsilon));
    const double promised =
        2e-13 + 4 * pld::unit_roundoff * (known + (std::fabs(epsilon) / mu + mu) * (1 + std::fabs(x)));
    CAPTURE(mu);
    CAPTURE(epsilon);
    CHECK(abs(Real(b::gdp_log_delta(mu, epsilon)) - Real(log_delta)) <= promised);
  }
}

/// Where delta is near 1 it is told by what is missing: log(Phi(x) + e^epsilon Phi(-x - mu)).
TEST_CASE("bounds.gaussian.epsilon_is_from_above_for_any_delta") {
  for (const double mu : {0.001, 0.1, 1.0, 9.0}) {
    for (const double delta : {1e-80, 1e-9, 0.1, 0.499, 0.501, 0.9, 1 - 1e-7, 1 - 1e-12, 1 - 0x1p-53}) {
      const double found = b::gdp_epsilon(mu, delta);
      CAPTURE(mu);
      CAPTURE(delta);
      const auto missing = [&](const Real& epsilon) {
        const Real x = epsilon / mu - Real(mu) / 2;
        return Real(pld::test::normal_cdf(x) + exp(epsilon) * pld::test::normal_cdf(-x - mu));
      };
      const auto holds = [&](const Real& epsilon) {
        return delta > 0.5 ? missing(epsilon) >= 1 - Real(delta)
                           : pld::test::gaussian_delta(mu, epsilon) <= Real(delta);
      };
      CHECK(holds(found));
      CHECK(!holds(found - 1e-12 * (std::fabs(found) + mu) - 16 * pld::unit_roundoff * mu * mu));
      if (found < 0) continue;
      const double sigma = b::analytic_gaussian_sigma(found, delta, 1);
      CHECK(sigma >= 1 / mu * (1 - 1e-11));
    }
  }
  CHECK_REL(b::gdp_epsilon(0.1, 1 - 1e-12), -27.631043, 1e-7);  // mpmath
  for (const double mu : {-1.0, 0.0, std::nan(""), HUGE_VAL}) {
    CHECK_THROWS_AS((void)b::gdp_epsilon(mu, 0.9), pld::DomainError);
    CHECK_THROWS_AS((void)b::gdp_epsilon(mu, 0.1), pld::DomainError);
  }
}

TEST_CASE("bounds.gaussian.analytic_sigma_meets_the_target_and_no_less_does") {
  for (const double epsilon : {0.0, 0.01, 1.0, 10.0}) {
    for (const double delta : {1e-2, 1e-6, 1e-30}) {
      const double sigma = b::analytic_gaussian_sigma(epsilon, delta, 2);
      CHECK(b::gdp_log_delta(2 / sigma, epsilon) <= std::log(delta) + 1e-12);
      CHECK(b::gdp_log_delta(2 / (sigma * (1 - 1e-9)), epsilon) > std::log(delta));
    }
  }
}

TEST_CASE("bounds.gaussian.classical_is_sound_below_one_and_refuses_above") {
  for (const double epsilon : {0.01, 0.2, 0.7, 0.99}) {
    for (const double delta : {1e-2, 1e-6, 1e-12}) {
      const double sigma = b::classical_gaussian_sigma(epsilon, delta, 3);
      CHECK(sigma >= b::analytic_gaussian_sigma(epsilon, delta, 3));
      CHECK_REL(b::classical_gaussian_epsilon(sigma, delta, 3), epsilon, 1e-14);
    }
  }
  for (const double epsilon : {0.0, 1.0, 7.0, std::nan("")}) {
    CHECK_THROWS_AS(static_cast<void>(b::classical_gaussian_sigma(epsilon, 1e-6, 1)), pld::DomainError);
  }
}

TEST_CASE("bounds.gaussian.misprinted_exponent_is_unsound_below_one") {
  for (const double sigma : {10.0, 40.0, 200.0}) {
    const double delta = 1e-6;
    const double printed = b::classical_gaussian_epsilon_as_printed(sigma, delta, 1);
    REQUIRE(printed < 1);
    CHECK(printed < b::gdp_epsilon(1 / sigma, delta));
  }
}

TEST_CASE("bounds.gaussian.analytic_sigma_of_a_tiny_delta_at_epsilon_0") {
  // delta(0) = 2 Phi(mu / 2) - 1, about mu / sqrt(2 pi).
  const double sigma = b::analytic_gaussian_sigma(0, 1e-250, 1), about = 3.98942280401432677e249;
  CHECK(sigma >= about);
  CHECK(sigma <= about * (1 + 1e-10));
  CHECK_THROWS_AS(static_cast<void>(b::analytic_gaussian_sigma(0, 1e-307, 1)), pld::DomainError);
}
