#include "pld/bounds/concentrated.hpp"

#include "bounds/reference.hpp"
#include "pld/bounds/fixed_size_sampling.hpp"
#include "pld/bounds/gaussian_dp.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "support/checks.hpp"

namespace b = pld::bounds;
using pld::Direction;
using pld::test::Real;

TEST_CASE("bounds.zcdp.conversions_cover_the_gaussian") {
  for (const double sigma : {0.5, 3.0, 100.0}) {
    const b::ZeroConcentrated zcdp = b::zcdp({{pld::Gaussian{.sigma = sigma}, 1, 10}});
    for (const double delta : {0.1, 1e-6, 1e-40}) {
      const double exact = b::gdp_epsilon(std::sqrt(10) / sigma, delta);
      const double tight = b::epsilon_from_zcdp_tight(zcdp, delta), basic = b::epsilon_from_zcdp(zcdp, delta);
      CHECK(exact <= tight);
      CHECK(tight <= basic);
    }
  }
}

TEST_CASE("bounds.zcdp.tight_is_below_basic_for_any_rho") {
  for (const double rho : {0.0, 1e-300, 1e-20, 1.0, 1e8, 1e109})
    for (const double delta : {0.5, 1e-6, 1e-320})
      CHECK(b::epsilon_from_zcdp_tight({.xi = 0.25, .rho = rho}, delta) <=
            b::epsilon_from_zcdp({.xi = 0.25, .rho = rho}, delta) * (1 + 1e-15));
}

TEST_CASE("bounds.zcdp.pure_dp_and_xi") {
  for (const double epsilon : {0.01, 0.5, 3.0}) {
    for (const double alpha : {1.01, 2.0, 100.0}) {
      CHECK(b::renyi_of_pure_dp(alpha, epsilon) <= b::zcdp_rho_of_pure_dp(epsilon) * alpha);
    }
    // Pure epsilon-DP is (epsilon, 0)-zCDP, and gives epsilon back.
    CHECK_REL(b::epsilon_from_zcdp({.xi = epsilon, .rho = 0}, 1e-9), epsilon, 1e-15);
  }
  CHECK_THROWS_AS(static_cast<void>(b::zcdp({{pld::Gaussian{}, 0.5}})), pld::DomainError);
}

TEST_CASE("bounds.approximate_renyi.conversion_and_the_reversed_sign") {
  const auto guarantee = b::approximate_renyi_of_dp(0.5, 1e-6, 8);
  for (const double delta : {2e-6, 1e-3}) {
    const double epsilon = b::epsilon_from_approximate_renyi(guarantee, delta);
    CHECK_REL(b::delta_from_approximate_renyi(guarantee, epsilon), delta, 1e-9);
  }
  // A privacy statement gets easier as epsilon grows; the printed sign makes it harder without bound.
  CHECK(b::delta_from_approximate_renyi(guarantee, 3) < b::delta_from_approximate_renyi(guarantee, 2));
  CHECK(b::delta_from_approximate_renyi_as_printed(guarantee, 3) > 1);
  const auto twice = b::compose(guarantee, guarantee);
  CHECK_REL(twice.epsilon, 2 * guarantee.epsilon, 1e-15);
  CHECK_REL(twice.delta, 2e-6, 1e-15);
  CHECK_THROWS_AS(static_cast<void>(b::epsilon_from_approximate_renyi(guarantee, 1e-6)), pld::DomainError);
}

TEST_CASE("bounds.tcdp.conversion_is_the_least_over_permitted_orders") {
  for (const double rho : {1e-4, 0.01, 1.0}) {
    for (const double omega : {1.5, 10.0, 500.0}) {
      for (const double delta : {1e-3, 1e-12}) {
        double least = pld::infinity;
        for (int i = 1; i <= 200000; ++i) {
          const double alpha = 1 + (omega - 1) * i / 200000;
          least = std::min(least, b::epsilon_from_renyi_basic(alpha, rho * alpha, delta));
        }
        CHECK_REL(b::epsilon_from_tcdp({rho, omega}, delta), least, 1e-4);
        CHECK(b::epsilon_from_tcdp({rho, omega}, delta) <= least * (1 + 1e-12));
      }
    }
  }
  const auto both = b::compose(b::TruncatedConcentrated{0.1, 20}, b::TruncatedConcentrated{0.2, 5});
  CHECK_REL(both.rho, 0.3, 1e-15);
  CHECK(both.omega == 5);
}

namespace {

/// D_alpha between A arsinh(N/A) noise at two points `shift` apart, N of variance `variance`, by the trapezoidal rule.
double arsinh_divergence(double alpha, double a, double variance, double shift) {
  // Density of y = A arsinh(x/A): normal density at A sinh(y/A), times cosh(y/A).
  const auto log_density = [&](double y) {
    const double x = a * std::sinh(y / a);
    return -x * x / (2 * variance) + std::log(std::cosh(y / a)) - std::log(2 * M_PI * variance) / 2;
  };
  double sum = 0;
  const double h = std::sqrt(variance) / 400;
  for (double y = -60 * a; y < 60 * a; y += h) {
    const double p = log_density(y - shift), q = log_density(y);
    const double term = alpha * p + (1 - alpha) * q;
    if (std::isfinite(term)) sum += std::exp(term) * h;
  }
  return std::log(sum) / (alpha - 1);
}

}  // namespace

TEST_CASE("bounds.tcdp.conversion_of_no_loss_and_of_any_size_is_a_number") {
  for (const double omega : {1.5, 20.0, 1e200, pld::infinity}) {
    CHECK_REL(b::epsilon_from_tcdp({0, omega}, 1e-6), -std::log(1e-6) / (omega - 1), 1e-14);
    for (const double rho : {1e-320, 1e-300, 1.0, 1e300}) {
      const double found = b::epsilon_from_tcdp({rho, omega}, 1e-6);
      CHECK(found >= rho);
      CHECK(found <= rho + 2 * std::sqrt(rho) * std::sqrt(-std::log(1e-6)) + 30 / (omega - 1));
    }
  }
}

TEST_CASE("bounds.tcdp.arsinh_mechanism_keeps_its_guarantee") {
  for (const double rho : {0.05, 0.5}) {
    const double sensitivity = 1, a = std::max(16.0, sensitivity / std::sqrt(rho));
    const auto guarantee = b::tcdp_arsinh(rho, a, sensitivity);
    for (const double share : {0.2, 0.6, 0.95}) {
      const double alpha = 1 + share * (guarantee.omega - 1);
      CHECK(arsinh_divergence(alpha, a, sensitivity * sensitivity / (2 * rho), sensitivity) <= guarantee.rho * alpha);
    }
  }
  CHECK_THROWS_AS(static_cast<void>(b::tcdp_arsinh(2, 10, 1)), pld::DomainError);
  CHECK_THROWS_AS(static_cast<void>(b::tcdp_arsinh(0.01, 1, 1)), pld::DomainError);
}

TEST_CASE("bounds.tcdp.sampling_covers_the_gaussian_and_checks_its_conditions") {
  // Replace-one with a fixed-size sample: the sampled pair ((1-s) Q + s P, Q) is one of its neighbouring pairs.
  for (const double rho : {1e-3, 0.01}) {
    for (const double s : {1e-3, 0.01}) {
      const auto sampled = b::tcdp_amplify_by_sampling({rho, pld::infinity}, s);
      for (const double share : {0.1, 0.5, 0.99}) {
        const double alpha = 1 + share * (sampled.omega - 1);
        const b::Step step{pld::Gaussian{.sigma = 1 / std::sqrt(2 * rho)}, s};
        CHECK(b::log_moment(step, alpha, Direction::remove) / (alpha - 1) <= sampled.rho * alpha);
      }
    }
  }
  CHECK_THROWS_AS(static_cast<void>(b::tcdp_amplify_by_sampling({0.2, 1e9}, 0.01)), pld::DomainError);
  CHECK_THROWS_AS(static_cast<void>(b::tcdp_amplify_by_sampling({0.01, 1e9}, 0.5)), pld::DomainError);
  CHECK_THROWS_AS(static_cast<void>(b::tcdp_amplify_by_sampling({0.01, 10}, 0.01)), pld::DomainError);
}

TEST_CASE("bounds.fixed_size.orderings") {
  for (const double sigma : {1.0, 5.0}) {
    for (const double s : {1e-3, 0.05}) {
      const b::RenyiCurve rdp = [&](double alpha) { return b::renyi_gaussian(alpha, sigma, 1); };
      for (const int alpha : {2, 3, 8, 33}) {
        const double exact_pair =
            b::log_moment({pld::Gaussian{.sigma = sigma}, s}, alpha, Direction::remove) / (alpha - 1);
        const double tight = b::fixed_size_renyi_gaussian(sigma, 1, s, alpha);
        const double general = b::fixed_size_renyi(rdp, pld::infinity, s, alpha);
        const double loose = b::fixed_size_renyi_loose(rdp, s, alpha);
        CAPTURE(sigma);
        CAPTURE(s);
        CAPTURE(alpha);
        CHECK(exact_pair <= tight);
        CHECK(tight <= general * (1 + 1e-12));
        CHECK(general <= loose * (1 + 1e-12));
        CHECK(loose <= b::fixed_size_renyi_one_order(rdp(alpha), s, alpha) * (1 + 1e-12));
      }
    }
  }
  const b::RenyiCurve pure = [](double alpha) { return b::renyi_of_pure_dp(alpha, 0.1); };
  CHECK(b::fixed_size_renyi(pure, 0.1, 0.01, 16) < b::fixed_size_renyi(pure, pld::infinity, 0.01, 16));
}

TEST_CASE("bounds.fixed_size.tight_gaussian_matches_forward_differences_in_50_digits") {
  // B(l) = sum (-1)^i C(l, i) e^{(i-1) D_i}, which cancels and is why the library integrates instead.
  const double sigma = 2, s = 0.01;
  const int alpha = 9;
  const auto b_of = [&](int l) {
    Real sum = 0, choose = 1;
    for (int i = 0; i <= l; ++i) {
      sum += (i % 2 ? -1 : 1) * choose * exp((Real(i) - 1) * i / (2 * Real(sigma) * sigma));
      choose *= Real(l - i) / (i + 1);
    }
    return sum;
  };
  Real sum = 1, choose = 1;
  for (int j = 1; j <= alpha; ++j) {
    choose *= Real(alpha - j + 1) / j;
    if (j == 1) continue;
    const Real loose = 2 * exp((Real(j) - 1) * j / (2 * Real(sigma) * sigma));
    const Real d2 = exp(1 / (Real(sigma) * sigma));
    const Real tight = j == 2 ? Real(4 * (d2 - 1)) : Real(4 * sqrt(b_of(2 * (j / 2)) * b_of(2 * ((j + 1) / 2))));
    sum += choose * pow(Real(s), j) * std::min(loose, tight);
  }
  const double truth = static_cast<double>(log(sum) / (alpha - 1));
  CHECK_REL(b::fixed_size_renyi_gaussian(sigma, 1, s, alpha), truth, 1e-11);
}
