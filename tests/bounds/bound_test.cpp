#include "pld/bounds/bound.hpp"

#include <set>

#include "bounds/reference.hpp"
#include "pld/bounds/central_limit.hpp"
#include "pld/bounds/gaussian_dp.hpp"
#include "pld/core/errors.hpp"
#include "pld/mechanisms/mass_table.hpp"
#include "support/checks.hpp"

namespace b = pld::bounds;
using pld::test::Real;

namespace {

const b::Bound& named(const std::string& name) {
  for (const auto& bound : b::all_bounds()) {
    if (bound.name == name) return bound;
  }
  FAIL("no bound of that name");
  return b::all_bounds().front();
}

}  // namespace

TEST_CASE("bounds.table.names_are_unique_and_each_has_a_source") {
  std::set<std::string> names;
  for (const auto& bound : b::all_bounds()) {
    CHECK(names.insert(bound.name).second);
    CHECK(!bound.source.empty());
  }
}

TEST_CASE("bounds.table.every_upper_bound_covers_the_exact_gaussian") {
  for (const double sigma : {2.0, 10.0, 100.0}) {
    for (const std::int64_t k : {1, 50, 5000}) {
      for (const double delta : {1e-3, 1e-15, 1e-80}) {
        const b::BoundQuery query{{{pld::Gaussian{.sigma = sigma}, 1, k}}, delta};
        const double exact = b::gdp_epsilon(std::sqrt(static_cast<double>(k)) / sigma, delta);
        for (const auto& bound : b::all_bounds()) {
          if (bound.claim != b::Claim::upper_bound) continue;
          const auto answer = b::ask(bound, query);
          CAPTURE(bound.name);
          if (answer.answered()) CHECK(answer.epsilon >= exact * (1 - 1e-12));
        }
      }
    }
  }
}

TEST_CASE("bounds.table.what loses nothing has bounds that are numbers") {
  for (const b::Parameters& nothing :
       std::vector<b::Parameters>{pld::RandomizedResponse{.p = 0.5}, pld::ApproximateDp{.epsilon = 0, .delta = 0}}) {
    for (const double delta : {1e-6, 0.5}) {
      for (const auto& bound : b::all_bounds()) {
        const auto answer = b::ask(bound, {{{nothing, 1, 3}}, delta});
        CAPTURE(bound.name);
        if (answer.answered()) CHECK(!std::isnan(answer.epsilon));
        if (answer.answered() && bound.claim == b::Claim::upper_bound) CHECK(answer.epsilon >= std::log1p(-delta));
      }
    }
  }
}

TEST_CASE("bounds.table.what loses nothing has an epsilon of 0 by its theorems") {
  const b::BoundQuery query{{{pld::ApproximateDp{.epsilon = 0, .delta = 0}, 1, 3}}, 1e-320};
  for (const char* name : {"basic composition", "advanced composition", "Kairouz-Oh-Viswanath, optimal", "zCDP"}) {
    CAPTURE(name);
    CHECK(b::ask(named(name), query).epsilon == 0);
  }
}

TEST_CASE("bounds.table.worst_is_the_larger_direction") {
  const b::Steps steps{{pld::Gaussian{.sigma = 1}, 0.01, 100}};
  const auto in = [&](pld::DirectionChoice choice) {
    return b::ask(named("Renyi DP, tight conversion"), {steps, 1e-6, choice}).epsilon;
  };
  const double remove = in(pld::DirectionChoice::remove), add = in(pld::DirectionChoice::add);
  CHECK(add < remove);
  CHECK(in(pld::DirectionChoice::worst) == remove);
}

TEST_CASE("bounds.table.gaussians_get_half_of_delta_and_the_slack_the_rest") {
  const double delta = 1e-6, k = 20, mu = 0.1;
  const b::BoundQuery query{{{pld::Gaussian{.sigma = 1 / mu}, 1, static_cast<std::int64_t>(k)}}, delta};
  const double each = b::gdp_epsilon(mu, delta / (2 * k));
  const double advanced = each * std::sqrt(2 * k * std::log(2 / delta)) + k * each * std::expm1(each);
  CHECK_REL(b::ask(named("advanced composition"), query).epsilon, advanced, 1e-9);
  CHECK_REL(b::ask(named("basic composition"), query).epsilon, k * b::gdp_epsilon(mu, delta / k), 1e-9);
}

TEST_CASE("bounds.table.optimal_composition_is_never_above_basic_composition") {
  for (const std::int64_t k : {1, 10, 1000}) {
    for (const double sigma : {0.001, 5.0 / 3, 40.0}) {
      for (const double delta : {0.2, 1e-6, 1e-40}) {
        const b::BoundQuery query{{{pld::Gaussian{.sigma = sigma}, 1, k}, {pld::Laplace{.scale = 9}, 1, 3}}, delta};
        const double optimal = b::ask(named("Kairouz-Oh-Viswanath, optimal"), query).epsilon;
        CHECK(optimal <= b::ask(named("basic composition"), query).epsilon);
        CHECK(optimal >= b::gdp_epsilon(std::sqrt(static_cast<double>(k)) / sigma, delta));
      }
    }
  }
}

TEST_CASE("bounds.table.basic_composition_forgives_no_delta") {
  const auto answered = [](const b::Steps& steps, double delta) {
    return b::ask(named("basic composition"), {steps, delta}).answered();
  };
  const auto dp = [](double delta) { return b::Step{pld::ApproximateDp{.epsilon = 1, .delta = delta}}; };
  for (const double delta : {1e-5, 0.1, 1e-300}) {
    CHECK(answered({dp(delta)}, delta));
    CHECK_FALSE(answered({dp(std::nextafter(delta, 1))}, delta));
    CHECK_FALSE(answered({dp(delta), dp(1e-310)}, delta));  // less than a last digit
    CHECK(answered({{pld::ApproximateDp{.epsilon = 1, .delta = delta / 4}, 1, 4}}, delta));
    for (const double sigma : {0.5, 3.0}) {
      CHECK(answered({{pld::Gaussian{.sigma = sigma}, 1, 7}, {pld::Gaussian{.sigma = 2}, 0.01, 3}}, delta));
      CHECK_FALSE(answered({dp(delta), {pld::Gaussian{.sigma = sigma}}}, delta));
    }
  }
  CHECK(answered({{pld::ApproximateDp{.epsilon = 1, .delta = 1e-6}, 1, 10}}, 1e-5));
  CHECK(answered({dp(0.1), dp(0.2)}, 0.3));  // .1 + .2 is above .3 in binary, what they leak together below
}

TEST_CASE("bounds.table.samples_of_what_is_asymmetric_take_the_worse_direction") {
  // The second outcome's loss is log .00001 / .5 with the record, its negative without: only add sees it.
  const pld::Mechanism rare = pld::MassTable{.p = {0.99999, 0.00001}, .q = {0.5, 0.5}};
  const b::OtherMechanism other(rare);
  const double delta = 1e-5, at_least = std::log((0.5 - delta) / 0.00001);
  const auto row = [&](const b::Steps& steps, pld::DirectionChoice direction) {
    return b::ask(named("Renyi DP of any Poisson sample"), {steps, delta, direction}).epsilon;
  };
  using pld::DirectionChoice;
  const b::Steps beside{{pld::Gaussian{.sigma = 5}, 0.1, 1}, {other}}, sampled{{other, 0.999999, 1}};
  CHECK(row(beside, DirectionChoice::worst) >= at_least);
  CHECK(row(beside, DirectionChoice::add) >= at_least);
  CHECK(row(beside, DirectionChoice::remove) < 2);
  // Orders of a sample mix both directions of what is sampled.
  for (const DirectionChoice direction : {DirectionChoice::worst, DirectionChoice::add, DirectionChoice::remove})
    CHECK(row(sampled, direction) >= at_least - 0.1);
}

TEST_CASE("bounds.table.refusals_say_what_is_missing") {
  const b::BoundQuery sampled{{{pld::Gaussian{.sigma = 1}, 0.01, 100}}, 1e-6};
  CHECK(b::ask(named("zCDP"), sampled).refusal.find("no amplification by sampling") != std::string::npos);
  CHECK(b::ask(named("analytic gaussian (GDP)"), sampled).refusal.find("unsampled gaussian") != std::string::npos);
  CHECK(b::ask(named("Renyi DP"), sampled).answered());
  const b::BoundQuery two{{{pld::Laplace{}, 1, 2}, {pld::Laplace{.scale = 3}, 1, 2}}, 1e-6};
  CHECK(b::ask(named("advanced composition"), two).refusal.find("all releases alike") != std::string::npos);
}

TEST_CASE("bounds.table.invalid_queries_throw_instead_of_being_refused") {
  const auto& bound = b::all_bounds().front();
  CHECK_THROWS_AS(static_cast<void>(b::ask(bound, {{}, 1e-6})), pld::DomainError);
  CHECK_THROWS_AS(static_cast<void>(b::ask(bound, {{{pld::Gaussian{.sigma = -1}}}, 1e-6})), pld::DomainError);
  CHECK_THROWS_AS(static_cast<void>(b::ask(bound, {{{pld::Gaussian{}, 2}}, 1e-6})), pld::DomainError);
  CHECK_THROWS_AS(static_cast<void>(b::ask(bound, {{{pld::Gaussian{}}}, 0})), pld::DomainError);
  CHECK_THROWS_AS(static_cast<void>(b::ask(bound, {{{pld::Gaussian{}}}, std::nan("")})), pld::DomainError);
}

TEST_CASE("bounds.clt.gaussian_is_its_own_limit_and_the_sampled_one_tends_to_it") {
  for (const double sigma : {0.8, 5.0}) {
    CHECK_REL(b::clt_mu({{pld::Gaussian{.sigma = sigma}, 1, 9}}, pld::Direction::remove), 3 / sigma, 1e-11);
  }
  // q sqrt(k) fixed, k growing: the loss's own mu goes to the limit of Bu, Dong, Long, Su.
  double before = 1;
  for (const std::int64_t k : {100, 10000, 1000000}) {
    const b::Steps steps{{pld::Gaussian{.sigma = 1}, 1 / std::sqrt(static_cast<double>(k)), k}};
    const double gap = std::fabs(b::clt_mu(steps, pld::Direction::remove) / b::dp_sgd_limit_mu(steps) - 1);
    CHECK(gap < before / 5);
    before = gap;
  }
}

TEST_CASE("bounds.clt.normal_losses_of_any_variance_match_50_digits") {
  // The truth as it stands, Phi(-x) - e^{epsilon - mean + variance/2} Phi(-x - s), overflows a double beyond a variance
  // of 1419.
  for (const double mean : {0.5, 400.0, 880.0}) {
    for (const double variance : {1e-6, 0.3, 900.0, 1430.0, 5000.0, 1e6}) {
      for (const double x : {-40.0, -8.0, -1.0, 0.0, 0.5, 6.0, 30.0}) {
        const double epsilon = mean + x * std::sqrt(variance);
        const Real s = sqrt(Real(variance)), away = (Real(epsilon) - mean) / s;
        const Real truth = pld::test::normal_cdf(-away) -
                           exp(Real(epsilon) - mean + Real(variance) / 2) * pld::test::normal_cdf(-away - s);
        CAPTURE(variance);
        CAPTURE(x);
        const double got = b::normal_loss_delta(mean, variance, epsilon);
        CHECK(abs(Real(got) - truth) <= Real(1e-10) * truth);
      }
    }
  }
}

TEST_CASE("bounds.clt.with_its_error_lies_above_the_exact_epsilon_at_a_large_variance") {
  // 1600 and 2000 randomized responses at .75: exact epsilons 898.115 and 1120.139 by the binomial sum.
  const auto certified = [](std::int64_t count) {
    return b::clt_epsilon_upper({{pld::RandomizedResponse{.p = 0.75}, 1, count}}, pld::Direction::remove, 0.3);
  };
  CHECK(certified(1600) >= 898.115);
  CHECK(certified(1600) < 901);
  CHECK_REL(certified(2000), 1122.1755, 1e-5);  // the theorem in 30 digits; the third moment is rounded up here
}

TEST_CASE("bounds.clt.with_its_error_covers_what_the_limit_alone_may_miss") {
  const b::Steps steps{{pld::RandomizedResponse{.p = 0.51}, 1, 100000}};
  const double error = b::berry_esseen_error(steps, pld::Direction::remove);
  const double delta = 3 * error;
  const double certified = b::clt_epsilon_upper(steps, pld::Direction::remove, delta);
  const auto optimal = b::ask(named("Kairouz-Oh-Viswanath, optimal"), {steps, delta});
  CHECK(certified >= optimal.epsilon);
  CHECK_THROWS_AS(static_cast<void>(b::clt_epsilon_upper(steps, pld::Direction::remove, error / 2)), pld::DomainError);
}
