#include "pld/bounds/renyi.hpp"

#include <algorithm>
#include <string>

#include "bounds/reference.hpp"
#include "engines/question.hpp"
#include "pld/bounds/alpha_divergence.hpp"
#include "pld/bounds/bound.hpp"
#include "pld/bounds/concentrated.hpp"
#include "pld/core/errors.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace b = pld::bounds;
using pld::Direction;
using pld::test::Real;

namespace {

double relative(double got, const Real& truth) { return static_cast<double>(abs(Real(got) / truth - 1)); }

}  // namespace

TEST_CASE("bounds.renyi.sampled_gaussian_matches_50_digits_both_ways") {
  for (const double sigma : {0.5, 1.0, 4.0}) {
    for (const double q : {1e-4, 0.01, 0.4}) {
      for (const double alpha : {1.05, 2.0, 3.7, 17.25}) {
        const b::Step step{pld::Gaussian{.sigma = sigma}, q};
        CAPTURE(sigma);
        CAPTURE(q);
        CAPTURE(alpha);
        CHECK(relative(b::log_moment(step, alpha, Direction::remove),
                       log(pld::test::sampled_gaussian_power(sigma, q, alpha))) < 1e-11);
        CHECK(relative(b::log_moment(step, alpha, Direction::add),
                       log(pld::test::sampled_gaussian_power(sigma, q, 1 - alpha))) < 1e-11);
      }
    }
  }
}

TEST_CASE("bounds.renyi.sampled_gaussian_matches_the_series_of_mironov_talwar_zhang") {
  for (const double sigma : {0.8, 2.0}) {
    for (const double q : {1e-3, 0.1, 0.3}) {
      for (const double alpha : {2.0, 2.5, 8.3, 32.0}) {
        const Real truth = log(pld::test::sampled_gaussian_series(sigma, q, alpha));
        CHECK(relative(b::log_moment({pld::Gaussian{.sigma = sigma}, q}, alpha, Direction::remove), truth) < 1e-10);
      }
    }
  }
}

TEST_CASE("bounds.renyi.remove_is_the_worse_direction_of_the_sampled_gaussian") {
  for (const double sigma : {0.6, 1.5, 8.0}) {
    for (const double q : {0.001, 0.2, 0.9}) {
      for (const double alpha : {1.2, 4.0, 40.0}) {
        const b::Step step{pld::Gaussian{.sigma = sigma}, q};
        CHECK(b::log_moment(step, alpha, Direction::add) <=
              b::log_moment(step, alpha, Direction::remove) * (1 + 1e-10));
      }
    }
  }
}

TEST_CASE("bounds.renyi.laplace_matches_50_digits") {
  for (const double s : {1e-5, 0.01, 0.5, 4.0}) {
    for (const double alpha : {1.001, 1.5, 2.0, 9.0, 40.0}) {
      const Real a = alpha, x = s;
      const Real truth = log((a * exp((a - 1) * x) + (a - 1) * exp(-a * x)) / (2 * a - 1)) / (a - 1);
      CAPTURE(s);
      CAPTURE(alpha);
      CHECK(relative(b::renyi_laplace(alpha, 1, s), truth) < 1e-12);
    }
    CHECK_REL(b::renyi_laplace(1e308, 1, s), s, 1e-15);  // the largest loss
  }
}

TEST_CASE("bounds.renyi.sampled_laplace_matches_50_digits_both_ways") {
  for (const double s : {0.05, 1.0, 3.0}) {
    for (const double q : {1e-3, 0.3}) {
      for (const double alpha : {1.3, 2.0, 11.0}) {
        const b::Step step{pld::Laplace{.scale = 1, .sensitivity = s}, q};
        CAPTURE(s);
        CAPTURE(q);
        CAPTURE(alpha);
        CHECK(relative(b::log_moment(step, alpha, Direction::remove),
                       log(pld::test::sampled_laplace_power(s, q, alpha))) < 1e-10);
        CHECK(relative(b::log_moment(step, alpha, Direction::add),
                       log(pld::test::sampled_laplace_power(s, q, 1 - alpha))) < 1e-10);
      }
    }
  }
}

// At these orders nodes of no weight are left out: the binomial sum over how often r is e^z has the truth.
TEST_CASE("bounds.renyi.sampled_noise_at_high_orders_matches_the_binomial_sum") {
  const int order = 300;
  const auto log_power_of_sample = [&](double q, const auto& power) {
    Real sum = 0, choose = 1;
    for (int j = 0; j <= order; ++j) {
      sum += choose * pow(1 - Real(q), order - j) * pow(Real(q), j) * power(j);
      choose *= Real(order - j) / (j + 1);
    }
    return Real(log(sum));
  };
  for (const double q : {1e-3, 0.3}) {
    for (const double s : {0.05, 3.0, 13.0}) {
      CAPTURE(q);
      CAPTURE(s);
      const auto laplace = [&](int j) {
        const Real k = j, x = s;
        return Real((k * exp((k - 1) * x) + (k - 1) * exp(-k * x)) / (2 * k - 1));
      };
      const b::Step step{pld::Laplace{.scale = 1, .sensitivity = s}, q};
      CHECK(relative(b::log_moment(step, order, Direction::remove), log_power_of_sample(q, laplace)) < 1e-11);
    }
    const double a = 0.7;
    const int shift = 9;
    const auto discrete = [&](int j) {
      const Real rate = a, half = 1 / (1 + exp(-rate));
      Real sum = half * exp(-rate * shift * j) + half * exp(-rate * shift + rate * shift * j);
      for (int x = 1; x < shift; ++x) sum += tanh(rate / 2) * exp(-rate * x + rate * (2 * x - shift) * j);
      return sum;
    };
    const b::Step step{pld::DiscreteLaplace{.a = a, .sensitivity = shift}, q};
    CHECK(relative(b::log_moment(step, order, Direction::remove), log_power_of_sample(q, discrete)) < 1e-11);
  }
}

// Points are taken as they are needed: a bound that has none left says so, and the next one that has is right.
TEST_CASE("bounds.renyi.what_takes_too_much_work_is_refused_and_not_remembered") {
  const pld::Mechanism noise = pld::poisson_sampled(pld::Skellam{.variance = 100}, 0.1);
  const b::BoundQuery query{{b::Step{b::OtherMechanism(noise)}}};
  const b::Bound& renyi = *std::find_if(b::all_bounds().begin(), b::all_bounds().end(),
                                        [](const b::Bound& bound) { return bound.name == "Renyi DP"; });
  const pld::Question question;
  {
    const pld::PartOfQuestion none(0);
    const b::BoundAnswer refused = b::ask(renyi, query);
    CHECK_FALSE(refused.answered());
    CHECK(refused.refusal.find(", but must be less") != std::string::npos);
  }
  const b::BoundAnswer found = b::ask(renyi, query);
  CHECK(found.answered());
  CHECK(found.epsilon >= pld::epsilon(pld::Composition().add(noise), {.delta = query.delta}).lower);
}

TEST_CASE("bounds.renyi.discrete_laws_match_direct_sums") {
  const auto direct = [](auto log_mass, int shift, double q, double t) {
    Real moment = 0, mass = 0;
    for (int x = -900; x <= 900; ++x) {
      const Real p = exp(log_mass(Real(x) - shift)), w = exp(log_mass(Real(x)));
      mass += w;
      moment += w * exp(Real(t) * log(1 - Real(q) + Real(q) * p / w));
    }
    return Real(log(moment / mass));
  };
  for (const double q : {0.02, 1.0}) {
    for (const double alpha : {1.7, 6.0}) {
      const auto laplace = [](const Real& x) { return Real(-abs(x) * Real(0.3)); };
      const b::Step dl{pld::DiscreteLaplace{.a = 0.3, .sensitivity = 3}, q};
      CHECK(relative(b::log_moment(dl, alpha, Direction::remove), direct(laplace, 3, q, alpha)) < 1e-11);
      CHECK(relative(b::log_moment(dl, alpha, Direction::add), direct(laplace, 3, q, 1 - alpha)) < 1e-11);
      for (const double sigma : {0.6, 3.0, 40.0}) {
        const auto gaussian = [&](const Real& x) { return Real(-x * x / (2 * Real(sigma) * sigma)); };
        const b::Step dg{pld::DiscreteGaussian{.sigma = sigma, .sensitivity = 2}, q};
        CAPTURE(sigma);
        CAPTURE(q);
        CAPTURE(alpha);
        CHECK(relative(b::log_moment(dg, alpha, Direction::remove), direct(gaussian, 2, q, alpha)) < 1e-10);
        CHECK(relative(b::log_moment(dg, alpha, Direction::add), direct(gaussian, 2, q, 1 - alpha)) < 1e-10);
      }
    }
  }
}

TEST_CASE("bounds.renyi.discrete_gaussian_is_at_most_the_continuous_one") {
  // Canonne, Kamath, Steinke 2020, theorem 4.
  for (const double sigma : {0.3, 0.7, 1.0, 5.0}) {
    for (const double alpha : {1.1, 2.0, 20.0}) {
      const double discrete = b::log_moment({pld::DiscreteGaussian{.sigma = sigma}}, alpha, Direction::remove);
      CHECK(discrete <= (alpha - 1) * b::renyi_gaussian(alpha, sigma, 1) * (1 + 1e-11));
    }
  }
}

TEST_CASE("bounds.renyi.randomized_response_dominates_pure_dp_and_stays_below_epsilon") {
  for (const double epsilon : {1e-6, 0.1, 1.0, 8.0}) {
    double before = 0;
    for (const double alpha : {1.01, 1.5, 3.0, 50.0, 1e4}) {
      const double rdp = b::renyi_of_pure_dp(alpha, epsilon);
      CHECK(rdp >= before * (1 - 1e-12));
      CHECK(rdp <= epsilon * (1 + 1e-14));
      CHECK(rdp <= alpha * epsilon * epsilon / 2 * (1 + 1e-12));
      CHECK(b::renyi_laplace(alpha, 1, epsilon) <= rdp * (1 + 1e-11));
      before = rdp;
    }
    const double p = 1 / (1 + std::exp(-epsilon));
    CHECK_REL(b::renyi_randomized_response(3, p), b::renyi_of_pure_dp(3, epsilon), 1e-8);
  }
}

TEST_CASE("bounds.renyi.response_among_k_answers_matches_its_finite_pair") {
  for (const double p : {0.2, 0.7}) {
    for (const int k : {2, 3, 10}) {
      const Real truth = p, lie = (1 - truth) / (k - 1);
      for (const double q : {0.05, 1.0}) {
        const auto power = [&](double t) {
          Real sum = 0;
          for (int answer = 0; answer < k; ++answer) {
            const Real under_p = answer == 0 ? truth : lie, under_q = answer == 1 ? truth : lie;
            sum += under_q * pow(1 - Real(q) + Real(q) * under_p / under_q, Real(t));
          }
          return Real(log(sum));
        };
        const b::Step step{pld::RandomizedResponse{.p = p, .k = static_cast<double>(k)}, q};
        for (const double alpha : {1.3, 5.0}) {
          CHECK(relative(b::log_moment(step, alpha, Direction::remove), power(alpha)) < 1e-11);
          CHECK(relative(b::log_moment(step, alpha, Direction::add), power(1 - alpha)) < 1e-11);
        }
      }
    }
  }
}

TEST_CASE("bounds.renyi.conversions_invert_and_tight_is_below_basic") {
  for (const double alpha : {1.02, 2.0, 33.3}) {
    for (const double delta : {0.3, 1e-6, 1e-100}) {
      const double rdp = 0.4;
      const double basic = b::epsilon_from_renyi_basic(alpha, rdp, delta);
      const double tight = b::epsilon_from_renyi_tight(alpha, rdp, delta);
      CHECK(tight < basic);
      CHECK_REL(b::delta_from_renyi_basic(alpha, rdp, basic), delta, 1e-12);
      CHECK_REL(b::delta_from_renyi_tight(alpha, rdp, tight), delta, 1e-12);
    }
  }
}

TEST_CASE("bounds.renyi.best_order_finds_the_minimum_of_the_gaussian") {
  // rho alpha + L/(alpha - 1) is least at alpha = 1 + sqrt(L/rho), where it is rho + 2 sqrt(rho L).
  for (const double rho : {1e-6, 0.0025, 1.0, 400.0}) {
    for (const double delta : {1e-2, 1e-15, 1e-300}) {
      const double log_inverse = -std::log(delta);
      const auto best =
          b::best_order([&](double alpha) { return b::epsilon_from_renyi_basic(alpha, rho * alpha, delta); });
      CHECK_REL(best.epsilon, rho + 2 * std::sqrt(rho * log_inverse), 1e-13);
      CHECK_REL(best.alpha, 1 + std::sqrt(log_inverse / rho), 1e-5);
    }
  }
}

TEST_CASE("bounds.renyi.infinite_loss_is_refused_with_its_name") {
  const auto curve = b::renyi_curve({{pld::ApproximateDp{.epsilon = 1, .delta = 1e-9}}}, Direction::remove);
  CHECK_THROWS_WITH_AS(static_cast<void>(curve(2)), doctest::Contains("approximate RDP"), pld::DomainError);
  const auto certain = b::renyi_curve({{pld::RandomizedResponse{.p = 1}}}, Direction::remove);
  CHECK_THROWS_AS(static_cast<void>(certain(2)), pld::DomainError);
  CHECK_THROWS_AS(static_cast<void>(b::renyi_gaussian(0.5, 1, 1)), pld::DomainError);
  CHECK_THROWS_AS(static_cast<void>(b::epsilon_from_renyi_basic(2, 1, 0)), pld::DomainError);
}

TEST_CASE("bounds.loss_moments.match_quadrature_in_50_digits") {
  for (const double q : {0.001, 0.3, 1.0}) {
    for (const double sigma : {0.7, 3.0}) {
      const Real mu = Real(1) / sigma, h = Real(1) / 64;
      for (const Direction direction : {Direction::remove, Direction::add}) {
        const auto moment = [&](auto g) {
          Real sum = 0;
          for (Real x = -14; x < 14 + mu; x += h) {
            const Real l = log(1 - Real(q) + Real(q) * exp(mu * x - mu * mu / 2));
            const Real weight = direction == Direction::remove ? Real(-x * x / 2 + l) : Real(-x * x / 2);
            sum += exp(weight) * g(direction == Direction::remove ? l : Real(-l));
          }
          return Real(sum * h / sqrt(2 * boost::math::constants::pi<Real>()));
        };
        const Real mean = moment([](const Real& z) { return z; });
        const Real variance = moment([&](const Real& z) { return Real((z - mean) * (z - mean)); });
        // Unsampled the loss is normal; at the kink of |z|^3 the trapezoidal rule has no 50 digits.
        const Real third = q == 1
                               ? Real(sqrt(8 / boost::math::constants::pi<Real>()) * mu * mu * mu)
                               : moment([&](const Real& z) { return Real(abs((z - mean) * (z - mean) * (z - mean))); });
        const auto got = b::loss_moments({pld::Gaussian{.sigma = sigma}, q}, direction);
        CHECK(relative(got.mean, mean) < 1e-11);
        CHECK(relative(got.variance, variance) < 1e-11);
        CHECK(got.third >= third);
        CHECK(got.third <= Real(1.002) * third);
      }
    }
  }
}

TEST_CASE("bounds.renyi.orders_next_to_one_keep_their_digits") {
  for (const double b : {1e-15, 1e-7, 1e-3, 0.3, 0.9}) {
    const double alpha = 1 + b;
    const Real order = alpha;
    CAPTURE(alpha);
    for (const double p : {0.5001, 0.6, 0.9, 0.99999, 1 - 1e-15}) {
      const Real log_odds = log(Real(p)) - log(1 - Real(p));
      // log E = log(1 + (p (r^b - 1) + (1 - p) (r^-b - 1))), r the odds.
      const Real more = p * expm1((order - 1) * log_odds) + (1 - Real(p)) * expm1(-(order - 1) * log_odds);
      const Real truth = log1p(more) / (order - 1);
      CAPTURE(p);
      CHECK(relative(b::renyi_randomized_response(alpha, p), truth) < 1e-11);
    }
    for (const double epsilon : {1e-4, 0.019, 0.021, 1.0, 29.0, 31.0, 50.0, 700.0}) {
      const Real e = epsilon, p = 1 / (1 + exp(-e));
      const Real truth = log1p(p * expm1((order - 1) * e) + (1 - p) * expm1(-(order - 1) * e)) / (order - 1);
      CAPTURE(epsilon);
      CHECK(relative(b::renyi_of_pure_dp(alpha, epsilon), truth) < 1e-11);
    }
  }
}

TEST_CASE("bounds.renyi.a_guarantee_of_nothing_has_infinite_divergences") {
  CHECK(b::renyi_of_pure_dp(2, INFINITY) == INFINITY);
  CHECK(b::approximate_renyi_of_dp(INFINITY, 1e-6, 2).epsilon == INFINITY);
  for (const double q : {1.0, 0.1})
    CHECK(b::log_moment({pld::ApproximateDp{.epsilon = INFINITY, .delta = 0}, q}, 2, Direction::remove) == INFINITY);
}
