#include "pld/bounds/finite_pair.hpp"

#include <random>

#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "support/checks.hpp"

namespace b = pld::bounds;

namespace {

/// Random masses over orders of magnitude; sometimes zeros, where P or Q stands alone.
std::vector<double> random_masses(std::mt19937_64& random, std::size_t n, bool with_zeros) {
  std::normal_distribution<double> normal;
  std::vector<double> masses(n);
  double sum = 0;
  for (double& m : masses) m = with_zeros && random() % 5 == 0 ? 0 : std::exp(2 * normal(random)), sum += m;
  if (sum == 0) masses[0] = sum = 1;
  for (double& m : masses) m /= sum;
  return masses;
}

double worse_hockey_stick(const b::FinitePair& pair, double epsilon) {
  return std::max(b::delta_expressions(pair, epsilon).expectation,
                  b::delta_expressions({pair.q, pair.p}, epsilon).expectation);
}

}  // namespace

TEST_CASE("bounds.finite.four_expressions_of_delta_agree") {
  std::mt19937_64 random(4);
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t n = 2 + random() % 9;
    const b::FinitePair pair{random_masses(random, n, true), random_masses(random, n, true)};
    for (const double epsilon : {0.0, 0.4, 2.5}) {
      const auto d = b::delta_expressions(pair, epsilon);
      CHECK(std::fabs(d.supremum - d.expectation) < 1e-14);
      CHECK(std::fabs(d.tails - d.expectation) < 1e-13);
      CHECK(std::fabs(d.integral - d.expectation) < 1e-13);
      CHECK(d.tail_bound >= d.expectation - 1e-15);
    }
  }
}

TEST_CASE("bounds.finite.trade_off_is_dual_to_delta") {
  std::mt19937_64 random(5);
  for (int trial = 0; trial < 50; ++trial) {
    const b::FinitePair pair{random_masses(random, 4, false), random_masses(random, 4, false)};
    for (const double epsilon : {-0.5, 0.0, 0.8}) {
      // f is piecewise linear: the supremum of 1 - f - e^eps alpha lies at a corner, which are the partial sums of Q.
      double best = 0;
      for (int mask = 0; mask < 16; ++mask) {
        double alpha = 0;
        for (int i = 0; i < 4; ++i) alpha += (mask >> i & 1) * pair.q[i];
        alpha = std::min(alpha, 1.0);
        best = std::max(best, 1 - b::trade_off(pair, alpha) - std::exp(epsilon) * alpha);
      }
      CHECK(std::fabs(best - b::delta_expressions(pair, epsilon).expectation) < 1e-13);
    }
  }
}

TEST_CASE("bounds.finite.inequalities_hold_on_random_triples") {
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int trial = 0; trial < 500; ++trial) {
    const std::size_t n = 2 + random() % 6;
    const auto p = random_masses(random, n, false), q = random_masses(random, n, false),
               r = random_masses(random, n, false);
    const auto p2 = random_masses(random, n, false), q2 = random_masses(random, n, false);
    const double alpha = 1 + std::exp(4 * unit(random) - 2), beta = alpha * (1 + 2 * unit(random)) + 1e-3,
                 s = unit(random);
    const double slack = 1e-11;

    const double direct = b::renyi_divergence({p, r}, alpha);
    const double through = b::triangle_bound(beta, b::renyi_divergence({p, q}, b::triangle_order(alpha, beta)),
                                             b::renyi_divergence({q, r}, beta));
    CHECK(direct <= through + slack);

    b::FinitePair mix{p, q};
    for (std::size_t i = 0; i < n; ++i) {
      mix.p[i] = (1 - s) * p[i] + s * p2[i];
      mix.q[i] = (1 - s) * q[i] + s * q2[i];
    }
    const double first = b::renyi_divergence({p, q}, alpha), second = b::renyi_divergence({p2, q2}, alpha);
    CHECK(b::renyi_divergence(mix, alpha) <= b::mixture_bound(alpha, s, first, second) + slack);
    CHECK(b::mixture_bound(alpha, s, first, second) <= std::max(first, second) + slack);

    const double both = b::concentrated_bound_of_ranges(alpha, b::renyi_divergence({p, q}, pld::infinity),
                                                        b::renyi_divergence({q, p}, pld::infinity));
    CHECK(first <= both + slack);
    CHECK(b::renyi_divergence({p, q}, 1) <= first + slack);
    CHECK_REL(b::alpha_divergence({p, q}, alpha) * alpha * (alpha - 1) + 1, std::exp((alpha - 1) * first), 1e-10);
  }
}

TEST_CASE("bounds.finite.moment_difference_bound_holds") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int trial = 0; trial < 500; ++trial) {
    const std::size_t n = 2 + random() % 6;
    const b::FinitePair pair{random_masses(random, n, true), random_masses(random, n, true)};
    double mean_x = 0, mean_y = 0, mean_abs_y = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double value = 3 * unit(random);
      mean_x += pair.p[i] * value, mean_y += pair.q[i] * value, mean_abs_y += pair.q[i] * std::fabs(value);
    }
    for (const double epsilon : {0.0, 0.5, 2.0}) {
      const double delta = std::min(1.0, worse_hockey_stick(pair, epsilon));
      CHECK(mean_x - mean_y <= b::moment_difference_bound(epsilon, delta, mean_abs_y, 3) + 1e-13);
    }
  }
}

TEST_CASE("bounds.finite.decomposition_is_rebuilt_exactly") {
  std::mt19937_64 random(8);
  for (int trial = 0; trial < 500; ++trial) {
    const std::size_t n = 2 + random() % 8;
    const b::FinitePair pair{random_masses(random, n, true), random_masses(random, n, true)};
    for (const double epsilon : {0.0, 0.3, 1.5}) {
      const double least = std::min(1.0, worse_hockey_stick(pair, epsilon));
      for (const double delta : {least, least + 0.3 * (1 - least)}) {
        CAPTURE(epsilon);
        CAPTURE(delta);
        CHECK(b::decomposition_error(b::decompose(pair, epsilon, delta), pair) < 1e-12);
      }
      if (least > 1e-6) CHECK_THROWS_AS(static_cast<void>(b::decompose(pair, epsilon, 0.9 * least)), pld::DomainError);
    }
  }
}

TEST_CASE("bounds.finite.leaks_of_the_tight_decomposition_lie_where_one_law_is_the_larger") {
  std::mt19937_64 random(9);
  for (int trial = 0; trial < 200; ++trial) {
    const b::FinitePair pair{random_masses(random, 6, false), random_masses(random, 6, false)};
    const auto d = b::decompose(pair, 0.4, worse_hockey_stick(pair, 0.4));
    for (std::size_t i = 0; i < 6; ++i) {
      if (d.p_leak[i] * d.delta > 1e-13) CHECK(pair.p[i] >= pair.q[i]);
      if (d.q_leak[i] * d.delta > 1e-13) CHECK(pair.q[i] >= pair.p[i]);
    }
  }
}

TEST_CASE("bounds.finite.posterior_test_keeps_both_promises") {
  std::mt19937_64 random(10);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t n = 2 + random() % 6;
    const b::FinitePair pair{random_masses(random, n, true), random_masses(random, n, true)};
    for (const double epsilon : {0.0, 0.7, 2.0}) {
      const auto accept = b::posterior_test(pair, epsilon);
      double under_p = 0, under_q = 0;
      for (std::size_t i = 0; i < n; ++i) {
        under_p += pair.p[i] * accept[i], under_q += pair.q[i] * accept[i];
        for (const double prior : {0.01, 0.5, 0.95}) {
          const double evidence = prior * pair.p[i] + (1 - prior) * pair.q[i];
          if (evidence == 0) continue;
          const double joint = prior * pair.p[i] / evidence * accept[i];
          CHECK(joint <= prior / (prior + (1 - prior) * std::exp(-epsilon)) + 1e-14);
        }
      }
      const double delta = worse_hockey_stick(pair, epsilon);
      CHECK(under_p >= 1 - delta - 1e-13);
      CHECK(under_q >= 1 - delta - 1e-13);
    }
  }
}

TEST_CASE("bounds.finite.bad_pairs_are_refused") {
  CHECK_THROWS_AS(b::require_valid({{0.5, 0.5}, {1}}), pld::DomainError);
  CHECK_THROWS_AS(b::require_valid({{0.5, 0.6}, {0.5, 0.5}}), pld::DomainError);
  CHECK_THROWS_AS(b::require_valid({{1.5, -0.5}, {0.5, 0.5}}), pld::DomainError);
  CHECK_THROWS_AS(b::require_valid({{std::nan(""), 1}, {0.5, 0.5}}), pld::DomainError);
}

TEST_CASE("bounds.finite.numbers_beyond_the_range_leave_numbers") {
  const b::FinitePair pair{{0.25, 0.75, 0}, {0, 0.5, 0.5}};
  for (const double epsilon : {700.0, 720.0, 1e4, 1e300}) {
    const auto d = b::delta_expressions(pair, epsilon);
    for (const double delta : {d.supremum, d.tails, d.expectation, d.integral, d.tail_bound}) CHECK(delta == 0.25);
    const auto accept = b::posterior_test(pair, epsilon);
    CHECK(accept == std::vector<double>{0, 1, 1});
    const auto parts = b::decompose(pair, epsilon, 0.5);
    CHECK(b::decomposition_error(parts, pair) < 1e-13);
  }
  const b::FinitePair far{{1 - 5e-324, 5e-324}, {5e-324, 1}};
  CHECK(std::fabs(b::delta_expressions(far, 744.0).integral - (1 - std::exp(744.0 + std::log(5e-324)))) < 1e-12);
  CHECK_REL(b::alpha_divergence({{0.5, 0.5}, {0.25, 0.75}}, 1e154), pld::infinity, 0);
  CHECK(b::alpha_divergence({{0.5, 0.5}, {0.5, 0.5}}, 1e300) == 0);
  CHECK(b::moment_difference_bound(pld::infinity, 0, 0, 1) == 0);
  CHECK(b::moment_difference_bound(0.5, 0, 1, pld::infinity) == std::expm1(0.5));
  CHECK(b::moment_difference_bound(pld::infinity, 0, 0.5, 1) == pld::infinity);
  CHECK(b::triangle_order(2, pld::infinity) == 2);
  CHECK_REL(b::triangle_order(1e200, 1e300), 1e200, 1e-15);
  CHECK(b::triangle_bound(pld::infinity, 1, 2) == 3);
}
