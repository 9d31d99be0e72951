#include "pld/readout/divergence.hpp"

#include <cmath>
#include <vector>

#include "pld/pld.hpp"
#include "readout/alpha_generator.hpp"
#include "readout/reference.hpp"
#include "support/checks.hpp"

namespace {

using namespace pld;
using test::as_double;
using test::Real;

constexpr double inf = INFINITY;

Composition one(const Mechanism& mechanism, std::int64_t count = 1) { return Composition().add(mechanism, count); }

/// D_order of atoms, by their sum.
Real renyi_of(const std::vector<test::ExactAtom>& atoms, const Real& order) {
  Real sum = 0;
  for (const auto& atom : atoms) sum += order == 1 ? Real(atom.mass * atom.loss) : Real(atom.mass * exp((order - 1) * atom.loss));
  return order == 1 ? sum : Real(log(sum) / (order - 1));
}

/// E_Q[((1 - q) + q e^{mu x - mu^2/2})^n], Q normal, n whole: a binomial sum of normal moments (Mironov, Talwar, Zhang 2019).
Real sampled_gaussian_moment(const Real& mu, const Real& q, unsigned n) {
  Real sum = 0, ways = 1;
  for (unsigned k = 0; k <= n; ++k) {
    sum += ways * pow(1 - q, n - k) * pow(q, k) * exp(k * (Real(k) - 1) * mu * mu / 2);
    ways = ways * (n - k) / (k + 1);
  }
  return sum;
}

void check_close(const Bracket& found, const Real& exact, double tolerance) {
  CHECK_INSIDE(found, as_double(exact));
  CHECK_REL(found.lower, as_double(exact), tolerance);
  CHECK_REL(found.upper, as_double(exact), tolerance);
}

}  // namespace

TEST_CASE("readout.divergence.generator_against_50_digits") {
  for (const double order : {0.01, 0.5, 0.999999, 1.0, 1.0000001, 1.5, 2.0, 30.0}) {
    for (const double z : {-700.0, -30.0, -1.0, -0.2, -0.1, -1e-3, -1e-9, 1e-12, 1e-4, 0.05, 0.11, 0.7, 3.0, 40.0, 600.0}) {
      const Real r = exp(Real(z)), a = order;
      const Real psi = order == 1 ? Real(r * z - (r - 1)) : Real((pow(r, a) - 1 - a * (r - 1)) / (a * (a - 1)));
      if (abs(psi) < 1e-30) continue;  // 50 digits are not enough for the reference
      const double exact = as_double(log(psi)), error = 1e-14 * (1 + std::fabs(exact) + (1 + order) * std::fabs(z) + 1 / order);
      CAPTURE(order);
      CAPTURE(z);
      CHECK(std::fabs(log_alpha_generator(order, z) - exact) <= error);
    }
  }
}

TEST_CASE("readout.divergence.gaussian_equals_its_closed_forms") {
  for (const double mu : {0.01, 1.0, 6.0}) {
    const Composition run = one(Gaussian{.sigma = 2, .sensitivity = mu}, 4);
    const Real square = Real(mu) * mu;
    for (const double order : {0.01, 0.5, 1.0, 1.5, 2.0, 100.0}) check_close(renyi_divergence(run, order), order * square / 2, 1e-10);
    check_close(kl_divergence(run), square / 2, 1e-10);
    check_close(hellinger_distance(run), sqrt(1 - exp(-square / 8)), 1e-10);
    check_close(alpha_divergence(run, 3), (exp(3 * square) - 1) / 6, 1e-10);
    CHECK(max_divergence(run).lower == inf);
    CHECK(renyi_divergence(run, inf).lower == inf);
  }
}

TEST_CASE("readout.divergence.finite_laws_equal_their_sums") {
  for (const unsigned k : {1u, 7u}) {
    const Composition run = one(RandomizedResponse{.p = 0.75}, k);
    for (const double order : {0.01, 0.3, 0.9999, 1.0, 1.0001, 2.0, 17.0, 1000.0})
      check_close(renyi_divergence(run, order), renyi_of(test::responses(0.75, k), order), 1e-11);
    check_close(max_divergence(run), k * log(Real(3)), 1e-12);
  }
}

TEST_CASE("readout.divergence.laplace_equals_its_closed_form") {
  // Mironov 2017, proposition 6; at order 1 its limit.
  for (const double scale : {0.7, 5.0}) {
    const Real s = 1 / Real(scale);
    const Composition run = one(Laplace{.scale = scale}, 10);
    for (const double order : {0.2, 0.7, 1.5, 2.0, 9.0, 300.0}) {
      const Real a = order;
      const Real exact = log(a / (2 * a - 1) * exp((a - 1) * s) + (a - 1) / (2 * a - 1) * exp(-a * s)) / (a - 1);
      CAPTURE(order);
      check_close(renyi_divergence(run, order), 10 * exact, 2e-6);
      CHECK_REL(renyi_divergence(run, order).estimate, as_double(10 * exact), 1e-8);
    }
    check_close(kl_divergence(run), 10 * (s + exp(-s) - 1), 2e-6);
    check_close(max_divergence(run), 10 * s, 1e-12);
  }
}

TEST_CASE("readout.divergence.sampled_gaussian_equals_its_binomial_sum") {
  for (const double q : {1e-6, 0.005, 0.3}) {
    const double sigma = 0.8;
    const Composition run = one(poisson_sampled(Gaussian{.sigma = sigma}, q), 1000);
    for (const unsigned order : {2u, 3u, 8u, 20u}) {
      const Real exact = 1000 * log(sampled_gaussian_moment(1 / Real(sigma), q, order)) / (order - 1);
      const Bracket found = renyi_divergence(run, order, DirectionChoice::remove);
      CAPTURE(q);
      CAPTURE(order);
      CHECK_INSIDE(found, as_double(exact));
      CHECK(found.width() <= 5e-6 * found.upper);
    }
  }
}

TEST_CASE("readout.divergence.swap_of_orders_and_directions") {
  // (1 - a) D_a(P||Q) = a D_{1-a}(Q||P).
  const Composition run = one(poisson_sampled(Gaussian{.sigma = 1}, 0.1), 5).add(Laplace{.scale = 3});
  for (const double order : {0.1, 0.35, 0.5}) {
    const Bracket remove = renyi_divergence(run, order, DirectionChoice::remove), add = renyi_divergence(run, 1 - order, DirectionChoice::add);
    CHECK((1 - order) * remove.lower <= order * add.upper * (1 + 1e-12));
    CHECK(order * add.lower <= (1 - order) * remove.upper * (1 + 1e-12));
  }
}

TEST_CASE("readout.divergence.rises_with_the_order") {
  const Composition run = one(poisson_sampled(Gaussian{.sigma = 1}, 0.1), 5).add(RandomizedResponse{.p = 0.6}, 3);
  double last = 0;
  for (const double order : {0.1, 0.5, 0.99, 1.0, 1.01, 2.0, 5.0, 40.0, 200.0, 1e5}) {
    const Bracket found = renyi_divergence(run, order);
    CHECK(found.upper >= last);
    CHECK(found.lower <= found.estimate);
    CHECK(found.upper < inf);
    last = found.lower;
  }
}

TEST_CASE("readout.divergence.infinite_losses") {
  const Composition run = one(ApproximateDp{.epsilon = 0.5, .delta = 0.01});
  CHECK(renyi_divergence(run, 1).lower == inf);
  CHECK(renyi_divergence(run, 2).lower == inf);
  CHECK(max_divergence(run).lower == inf);
  // P and Q each put 0.01 where the other has nothing, the rest on losses +-0.5.
  const Real rest = 1 - Real(0.01), high = rest * exp(Real(0.5)) / (1 + exp(Real(0.5))), low = rest - high;
  check_close(renyi_divergence(run, 0.5), -2 * log(2 * sqrt(high * low)), 1e-10);
}

TEST_CASE("readout.divergence.unbounded_tail_without_a_bound_is_infinite_above_only") {
  const Bracket found = renyi_divergence(one(DiscreteGaussian{.sigma = 3}), 2);
  CHECK(found.lower > 0);
  CHECK(found.lower <= found.upper);
}

TEST_CASE("readout.divergence.refuses") {
  CHECK_THROWS_AS((void)renyi_divergence(one(Laplace{.scale = 1}), 0), DomainError);
  CHECK_THROWS_AS((void)renyi_divergence(one(Laplace{.scale = 1}), NAN), DomainError);
  CHECK_THROWS_AS((void)alpha_divergence(one(Laplace{.scale = 1}), inf), DomainError);
  CHECK_THROWS_AS((void)kl_divergence(one(Laplace{.scale = 1}), DirectionChoice::worst, 0), DomainError);
}
