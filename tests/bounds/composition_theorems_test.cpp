#include "pld/bounds/composition_theorems.hpp"

#include <random>

#include "bounds/reference.hpp"
#include "pld/bounds/gaussian_dp.hpp"
#include "pld/bounds/optimal_composition.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "support/checks.hpp"

namespace b = pld::bounds;
using pld::test::Real;

namespace {

/// delta(epsilon) of k leaky randomized responses by enumerating all 3^k (truth, lie, leak) outcomes in 50 digits.
Real enumerated_delta(const std::vector<b::DpGuarantee>& each, double epsilon) {
  const std::size_t k = each.size();
  std::vector<std::pair<Real, Real>> outcomes{{1, 1}};  // masses under P and Q
  for (std::size_t i = 0; i < k; ++i) {
    const Real e = exp(Real(each[i].epsilon)), kept = 1 - Real(each[i].delta);
    std::vector<std::pair<Real, Real>> next;
    for (const auto& [p, q] : outcomes) {
      next.emplace_back(p * kept * e / (1 + e), q * kept / (1 + e));
      next.emplace_back(p * kept / (1 + e), q * kept * e / (1 + e));
      next.emplace_back(p * Real(each[i].delta), 0);
    }
    outcomes = next;
  }
  Real delta = 0;
  for (const auto& [p, q] : outcomes) delta += std::max(Real(0), Real(p - exp(Real(epsilon)) * q));
  return delta;
}

}  // namespace

TEST_CASE("bounds.kov.optimal_epsilon_matches_enumeration") {
  const std::vector<std::vector<b::DpGuarantee>> cases{
      {{0.3, 0}, {0.3, 0}, {0.3, 0}, {0.3, 0}},
      {{0.5, 1e-3}, {0.5, 1e-3}, {1.2, 1e-5}, {0.01, 0}, {0.2, 0.01}},
      {{2, 1e-4}, {2, 1e-4}, {2, 1e-4}, {2, 1e-4}, {2, 1e-4}, {2, 1e-4}, {2, 1e-4}},
  };
  for (const auto& each : cases) {
    std::vector<b::RepeatedGuarantee> parts;
    for (const auto& g : each) parts.push_back({g, 1});
    for (const double delta : {0.5, 0.1, 0.02, 0.013}) {
      const double epsilon = b::optimal_composition_epsilon(parts, delta);
      if (std::isinf(epsilon)) {
        CHECK(enumerated_delta(each, 1e3) > delta);
        continue;
      }
      CHECK(enumerated_delta(each, epsilon) <= delta);
      CHECK(enumerated_delta(each, epsilon - 1e-10 * (1 + std::fabs(epsilon))) > delta);
    }
  }
}

TEST_CASE("bounds.kov.large_counts_match_the_binomial_sum_in_50_digits") {
  const double k = 3000, epsilon0 = 0.02;
  for (const double delta : {1e-2, 1e-9, 1e-40}) {
    const double epsilon = b::optimal_composition_epsilon({{{epsilon0, 0}, k}}, delta);
    const Real p = exp(Real(epsilon0)) / (1 + exp(Real(epsilon0)));
    const auto truth = [&](double at) {
      Real sum = 0, mass = pow(1 - p, static_cast<int>(k));
      for (int i = 0; i <= k; ++i) {
        const Real loss = (2 * Real(i) - Real(k)) * Real(epsilon0);
        if (loss > at) sum += mass * (1 - exp(Real(at) - loss));
        mass *= p / (1 - p) * (Real(k) - i) / (i + 1);
      }
      return sum;
    };
    CHECK(truth(epsilon) <= delta);
    CHECK(truth(epsilon - 1e-11 * (1 + std::fabs(epsilon))) > delta);
  }
}

TEST_CASE("bounds.kov.below_every_theorem_that_knows_only_the_guarantees") {
  std::mt19937_64 random(20260711);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int trial = 0; trial < 300; ++trial) {
    const double epsilon0 = std::exp(-7 + 8 * unit(random)), k = std::floor(std::exp(9 * unit(random)));
    const double delta = std::exp(-60 * unit(random) - 3), each = unit(random) < 0.5 ? 0 : 0.3 * delta / k;
    const std::vector<b::RepeatedGuarantee> parts{{{epsilon0, each}, k}};
    const double slack = b::slack_left(parts, delta), optimal = b::optimal_composition_epsilon(parts, delta);
    CAPTURE(epsilon0);
    CAPTURE(k);
    CAPTURE(delta);
    CHECK(optimal <= b::basic_composition(parts).epsilon * (1 + 1e-11));
    CHECK(optimal <= b::advanced_composition({epsilon0, each}, k, slack).epsilon);
    CHECK(optimal <= b::heterogeneous_advanced_composition(parts, slack).epsilon * (1 + 1e-11));
    CHECK(optimal <= b::kairouz_oh_viswanath_explicit(parts, slack).epsilon * (1 + 1e-11));
    const auto short_form = b::advanced_composition_short_unchecked({epsilon0, each}, k, slack);
    if (short_form.epsilon <= 1) CHECK(optimal <= short_form.epsilon);
  }
}

TEST_CASE("bounds.advanced.short_form_is_unsound_where_it_refuses") {
  const b::DpGuarantee each{0.5, 0};
  const double k = 1e4, delta = 1e-6;
  CHECK_THROWS_AS(static_cast<void>(b::advanced_composition_short(each, k, delta)), pld::DomainError);
  CHECK(b::advanced_composition_short_unchecked(each, k, delta).epsilon <
        b::optimal_composition_epsilon({{each, k}}, delta));
}

TEST_CASE("bounds.moments_row.sound_within_its_precondition_and_not_far_beyond") {
  for (const double delta : {1e-2, 1e-6, 1e-20}) {
    for (const double epsilon : {0.01, 0.3, 0.9}) {
      const double log_inverse = -std::log(delta), sigma = b::classical_gaussian_sigma(epsilon, delta, 1);
      const double root_k = 4 * log_inverse * (4 * std::sqrt(2 * log_inverse) - 1) / epsilon;
      for (const double share : {1e-3, 0.1, 0.999}) {
        const double k = std::max(1.0, std::floor(share * share * root_k * root_k));
        CHECK(b::moments_accountant_epsilon(epsilon, k, delta) >= b::gdp_epsilon(std::sqrt(k) / sigma, delta));
      }
      const double far = std::ceil(4 * root_k * root_k);
      CHECK_THROWS_AS(static_cast<void>(b::moments_accountant_epsilon(epsilon, far, delta)), pld::DomainError);
      CHECK(b::moments_accountant_epsilon_unchecked(epsilon, far, delta) <
            b::gdp_epsilon(std::sqrt(far) / sigma, delta));
    }
  }
}

TEST_CASE("bounds.sampling.amplification_of_dp_is_attained_by_sampled_leaky_response") {
  // Sampled leaky randomized response: P = (1-q) Q + q P0. Its delta at log(1 + q(e^eps - 1)) is exactly q delta.
  for (const double q : {0.01, 0.5}) {
    const double epsilon = 1.3, delta = 1e-4, e = std::exp(epsilon);
    const auto amplified = b::amplify_by_sampling({epsilon, delta}, q);
    const double p0[] = {(1 - delta) * e / (1 + e), (1 - delta) / (1 + e), delta, 0};
    const double q0[] = {(1 - delta) / (1 + e), (1 - delta) * e / (1 + e), 0, delta};
    double hockey_stick = 0;
    for (int i = 0; i < 4; ++i) {
      const double p = (1 - q) * q0[i] + q * p0[i];
      hockey_stick += std::max(0.0, p - std::exp(amplified.epsilon) * (1 + 1e-14) * q0[i]);
    }
    CHECK_REL(hockey_stick, amplified.delta, 1e-9);
  }
}

TEST_CASE("bounds.sampling.amplification_where_e_to_the_epsilon_overflows") {
  CHECK_REL(b::amplify_by_sampling({1e5, 0}, 0.01).epsilon, 1e5 + std::log(0.01), 1e-15);
  CHECK(b::amplify_by_sampling({1e5, 1e-6}, 0).epsilon == 0);
}

TEST_CASE("bounds.composition.refuses_what_is_no_guarantee") {
  const auto refused = [](const b::RepeatedGuarantee& part) {
    CHECK_THROWS_AS(static_cast<void>(b::basic_composition({part})), pld::DomainError);
    CHECK_THROWS_AS(static_cast<void>(b::advanced_composition(part.guarantee, part.count, 1e-6)), pld::DomainError);
    CHECK_THROWS_AS(static_cast<void>(b::heterogeneous_advanced_composition({part}, 1e-6)), pld::DomainError);
    CHECK_THROWS_AS(static_cast<void>(b::optimal_composition_epsilon({part}, 1e-6)), pld::DomainError);
    CHECK_THROWS_AS(static_cast<void>(b::kairouz_oh_viswanath_explicit({part}, 1e-6)), pld::DomainError);
  };
  for (const double epsilon : {-0.1, pld::infinity, std::nan("")}) refused({{epsilon, 0}, 2});
  for (const double delta : {-0.1, 1.1, std::nan("")}) refused({{0.1, delta}, 2});
  for (const double count : {0.0, -1.0, 1.5, pld::infinity, std::nan("")}) refused({{0.1, 0}, count});
  // Subnormal slack has a logarithm, its inverse is no double.
  CHECK(std::isfinite(b::advanced_composition({0.1, 0}, 9, 2e-319).epsilon));
}

TEST_CASE("bounds.kov.too_many_terms_are_refused") {
  CHECK_THROWS_WITH_AS(static_cast<void>(b::optimal_composition_epsilon({{{0.1, 0}, 1e7}}, 1e-6)),
                       doctest::Contains("at most 4e6"), pld::DomainError);
  CHECK(b::optimal_composition_epsilon({{{0.1, 1e-3}, 10}}, 1e-3) == pld::infinity);
  CHECK(b::optimal_composition_epsilon({{{5e307, 0}, 4}}, 1e-6) == pld::infinity);  // their sum is no double
}
