#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <random>

#include "pld/account/query.hpp"
#include "pld/core/errors.hpp"
#include "pld/mechanisms/approximate_dp.hpp"
#include "pld/mechanisms/binomial.hpp"
#include "pld/mechanisms/integer_noise.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/mechanisms/mass_table.hpp"
#include "pld/mechanisms/mechanism.hpp"
#include "pld/mechanisms/randomized_response.hpp"
#include "pld/mechanisms/selection.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "support/pair_checks.hpp"

namespace pld::test {
namespace {

/// sum_x (p_x - e^epsilon q_x)_+, composed k times outcome by outcome.
Real delta_of_tables(const std::vector<Real>& p, const std::vector<Real>& q, double epsilon, int k,
                     const Real& p_so_far = 1, const Real& q_so_far = 1) {
  if (k == 0) {
    const Real excess = p_so_far - exp(Real(epsilon)) * q_so_far;
    return excess > 0 ? excess : Real(0);
  }
  Real sum = 0;
  for (std::size_t x = 0; x < p.size(); ++x)
    sum += delta_of_tables(p, q, epsilon, k - 1, p_so_far * p[x], q_so_far * q[x]);
  return sum;
}

std::vector<Real> exact(const std::vector<double>& masses) { return {masses.begin(), masses.end()}; }

void check_against_tables(const Mechanism& mechanism, const std::vector<Real>& p, const std::vector<Real>& q,
                          int most) {
  CAPTURE(mechanism.text());
  for (int k = 1; k <= most; ++k) {
    CAPTURE(k);
    Composition run;
    run.add(mechanism, k);
    for (const double epsilon : {-0.4, 0.0, 0.3, 1.1, 4.0, 9.0}) {
      CAPTURE(epsilon);
      const DeltaAnswer remove = delta(run, {.epsilon = epsilon, .direction = DirectionChoice::remove});
      const DeltaAnswer add = delta(run, {.epsilon = epsilon, .direction = DirectionChoice::add});
      // 50-digit truth to double and the table's own rounding to logs: 1e-14.
      const auto inside = [](const Bracket& b, const Real& truth) {
        const double t = static_cast<double>(truth);
        return b.lower <= t * (1 + 1e-14) && t * (1 - 1e-14) <= b.upper;
      };
      CHECK(inside(remove, delta_of_tables(p, q, epsilon, k)));
      CHECK(inside(add, delta_of_tables(q, p, epsilon, k)));
      CHECK(remove.width() <= 0.3 * remove.upper + 1e-300);
    }
  }
}

TEST_CASE("mechanisms.finite.tables_match_exact_sums") {
  const std::vector<double> p{0.5, 0.25, 0.1875, 0.0625, 0, 0}, q{0.25, 0.25, 0.375, 0, 0.125, 0};
  check_against_tables(MassTable{.p = p, .q = q}, exact(p), exact(q), 3);
  const std::vector<double> small_p{1 - 0x1p-10, 0x1p-10}, small_q{1 - 0x1p-14, 0x1p-14};
  check_against_tables(MassTable{.p = small_p, .q = small_q}, exact(small_p), exact(small_q), 4);
}

// An atom whose loss is epsilon but for rounding has more than all that lies above: it counts, on the side it may be
// on.
TEST_CASE("mechanisms.finite.epsilon_within_a_rounding_of_an_atom") {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(0.05, 0.45);
  for (int i = 0; i < 500; ++i) {
    const double a = uniform(random), b = uniform(random), rest = 1 - a, other = 1 - b;
    const std::vector<double> p{a, rest, 1e-200}, q{b, other, 1e-210};
    const Real p_sum = Real(a) + rest + Real(1e-200), q_sum = Real(b) + other + Real(1e-210);
    std::vector<Real> exact_p, exact_q;
    for (const double x : p) exact_p.push_back(x / p_sum);
    for (const double x : q) exact_q.push_back(x / q_sum);
    const double epsilon = static_cast<double>(log(a > b ? exact_p[0] / exact_q[0] : exact_p[1] / exact_q[1]));
    CAPTURE(epsilon);
    const DeltaAnswer found =
        delta(Composition().add(MassTable{.p = p, .q = q}), {.epsilon = epsilon, .direction = DirectionChoice::remove});
    CHECK(found.engine == Engine::closed_form);
    const Real log_delta = log(delta_of_tables(exact_p, exact_q, epsilon, 1));
    CHECK(Real(found.log_delta.lower) <= log_delta);
    CHECK(log_delta <= Real(found.log_delta.upper));
  }
}

TEST_CASE("mechanisms.finite.different_tables_are_never_merged") {
  Composition run;
  run.add(MassTable{.p = {0.5, 0.5}, .q = {0.25, 0.75}}).add(MassTable{.p = {0.5, 0.5}, .q = {0.75, 0.25}});
  CHECK(run.releases().size() == 2);
}

TEST_CASE("mechanisms.finite.rare_outcomes_down_to_1e-30") {
  const double rare = std::ldexp(1.0, -110);
  Composition run;
  run.add(MassTable{.p = {1 - 0.25, 0.25, rare}, .q = {1 - 0.25, 0.25, 0}});
  // 2^-110 of P has no counterpart; the sum of p is 1 + 2^-110, which is 1.
  for (const double epsilon : {0.5, 30.0}) CHECK_INSIDE(delta(run, {.epsilon = epsilon}), rare);
  CHECK(epsilon(run, {.delta = rare / 2}).lower == infinity);
}

TEST_CASE("mechanisms.finite.k_ary_randomized_response") {
  for (const int k : {3, 5}) {
    for (const double p : {0.75, 0.125, 0.5}) {
      const Real other = (1 - Real(p)) / (k - 1);
      std::vector<Real> left(static_cast<std::size_t>(k), other), right(left);
      left[0] = right[1] = p;
      check_against_tables(RandomizedResponse{.p = p, .k = double(k)}, left, right, 3);
    }
  }
  CHECK(delta(Composition().add(RandomizedResponse{.p = 1, .k = 4}), {.epsilon = 50}).lower > 1 - 1e-14);
  CHECK_REL(delta(Composition().add(RandomizedResponse{.p = 0, .k = 5}), {.epsilon = 50}).estimate, 0.25, 1e-14);
}

TEST_CASE("mechanisms.finite.binomial_matches_exact_sums") {
  struct Coins {
    int n;
    double p;
  };
  // Far out masses are no doubles: 100^-1000.
  for (const Coins coins :
       {Coins{6, 0.5}, {11, 0.5}, {300, 0.5}, {11, 0.75}, {400, 0.01}, {1000, 0.25}, {1000, 0.99}}) {
    for (const int s : {1, 4}) {
      std::vector<Real> still, moved(static_cast<std::size_t>(s), Real(0));
      const Real heads = coins.p, tails = 1 - heads;
      Real mass = pow(tails, coins.n);
      for (int x = 0; x <= coins.n; ++x) {
        still.push_back(mass);
        mass = mass * (coins.n - x) / (x + 1) * heads / tails;
      }
      moved.insert(moved.end(), still.begin(), still.end());
      still.resize(moved.size(), Real(0));
      check_against_tables(Binomial{.n = double(coins.n), .sensitivity = double(s), .p = coins.p}, moved, still,
                           coins.n < 20 ? 2 : 1);
    }
  }
  // 2^-300 lies at +inf.
  CHECK_REL(delta(Composition().add(Binomial{.n = 300}), {.epsilon = 600}).log_delta.estimate, -300 * std::log(2.0),
            1e-14);
}

TEST_CASE("mechanisms.finite.a_random_channel_never_raises_delta") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto simplex = [&](std::size_t n) {
    std::vector<double> masses(n);
    double sum = 0;
    for (double& m : masses) sum += m = -std::log(uniform(random));
    for (double& m : masses) m /= sum;
    return masses;
  };
  for (int round = 0; round < 10; ++round) {
    const auto p = simplex(5), q = simplex(5);
    std::vector<double> p_after(4, 0), q_after(4, 0);
    for (std::size_t x = 0; x < 5; ++x) {
      const auto row = simplex(4);
      for (std::size_t y = 0; y < 4; ++y) p_after[y] += p[x] * row[y], q_after[y] += q[x] * row[y];
    }
    Composition before, after;
    before.add(MassTable{.p = p, .q = q}, 3);
    after.add(MassTable{.p = p_after, .q = q_after}, 3);
    for (const double epsilon : {-0.5, 0.0, 0.5, 2.0})
      CHECK(delta(after, {.epsilon = epsilon}).lower <= delta(before, {.epsilon = epsilon}).upper);
  }
}

// The loss has density c e^{z/2} on (-range, range), c = e^{-range/2} / (2 (1 - e^-range)), so that of two has
// c^2 e^{z/2} (2 range - |z|). The hard edges must not spoil the lattice engine's tilt.
TEST_CASE("mechanisms.finite.two_exponential_mechanisms_match_their_integral") {
  for (const double range : {0.1, 1.0, 6.0}) {
    Composition twice;
    twice.add(ExponentialMechanism{.epsilon = range}, 2);
    const double c = std::exp(-range / 2) / (-2 * std::expm1(-range));
    for (const double share : {0.1, 0.9, 1.7, 1.99}) {
      const double epsilon = share * range;
      const auto excess = [&](double z) {
        return -std::expm1(epsilon - z) * c * c * std::exp(z / 2) * (2 * range - z);
      };
      const double truth =
          boost::math::quadrature::gauss_kronrod<double, 31>::integrate(excess, epsilon, 2 * range, 10, 1e-14);
      const DeltaAnswer got = delta(twice, {.epsilon = epsilon});
      CHECK(got.converged);
      const Bracket pairs = got.renyi_routes.value().converted_first;
      CHECK_INSIDE(pairs, truth);
      CHECK(got.upper <= pairs.upper);  // the divergences of both may say more
    }
  }
}

TEST_CASE("mechanisms.finite.exponential_is_the_supremum_of_its_two_point_pairs") {
  for (const double range : {0.1, 1.0, 6.0}) {
    Composition once, pure;
    once.add(ExponentialMechanism{.epsilon = range});
    pure.add(ApproximateDp{.epsilon = range});
    for (const double share : {-0.9, -0.2, 0.0, 0.3, 0.99}) {
      const double epsilon = share * range;
      double sup = 0;
      for (int i = 0; i <= 20000; ++i) {
        const double t = range * i / 20000, up = (std::exp(range) - std::exp(t)) / std::expm1(range);
        sup = std::fmax(sup, up * std::fmax(0, -std::expm1(epsilon - t)) +
                                 (1 - up) * std::fmax(0, -std::expm1(epsilon - t + range)));
      }
      const DeltaAnswer got = delta(once, {.epsilon = epsilon});
      CHECK(got.upper >= sup * (1 - 1e-12));
      CHECK_REL(got.estimate, sup, 1e-5);
      CHECK(got.lower <= delta(pure, {.epsilon = epsilon}).upper);
      const DeltaAnswer lattice = delta(once, {.epsilon = epsilon, .engine = Engine::lattice});
      CHECK(lattice.lower <= got.upper);
      CHECK(got.lower <= lattice.upper);
    }
    const PairPtr pair = dominating_pair(ExponentialMechanism{.epsilon = range}, Direction::remove);
    check_total(*pair, pair->outline(), 1e-13);
    check_total(*pair, std::vector<LossCell>{pair->below(0.1 * range), pair->above(0.1 * range)}, 1e-14);
  }
}

TEST_CASE("mechanisms.finite.selection_by_laplace_noise") {
  Composition noisy, flip, laplace;
  noisy.add(ReportNoisyMax{.scale = 4, .sensitivity = 2}, 3);
  flip.add(PermuteAndFlip{.epsilon = 1}, 3);
  laplace.add(Laplace{.scale = 1}, 3);
  const double want = delta(laplace, {.epsilon = 0.5}).estimate;
  CHECK_REL(delta(noisy, {.epsilon = 0.5}).estimate, want, 1e-3);
  CHECK_REL(delta(flip, {.epsilon = 0.5}).estimate, want, 1e-3);
}

TEST_CASE("mechanisms.finite.what_selection_attains_is_not_rounded_up") {
  const auto check = [](const std::optional<ApproximateDp>& attained, const Real& rare) {
    const Real loss = log((1 - rare) / rare);
    REQUIRE(attained);
    CHECK(Real(attained->epsilon) <= loss);
    CHECK(Real(attained->epsilon) >= loss * (1 - 2e-14));
  };
  for (const double x : {1e-6, 1.3e-4, 0.556880 / 19.11, 0.4, 0.9, 1.1, 1.6, 3.0, 40.0, 240.0}) {
    CAPTURE(x);
    check(witness(ReportNoisyMax{.scale = 1 / x}), exp(-1 / Real(1 / x)) * (2 + 1 / Real(1 / x)) / 4);
    check(witness(PermuteAndFlip{.epsilon = x}), exp(-Real(x) / 2) / 2);
  }
}

TEST_CASE("mechanisms.finite.refuses") {
  const double nan = std::nan("");
  for (const auto& [p, q] : std::vector<std::pair<std::vector<double>, std::vector<double>>>{
           {{}, {}}, {{1}, {0.5, 0.5}}, {{1.5, -0.5}, {0.5, 0.5}}, {{0.5, nan}, {0.5, 0.5}}, {{0.5, 0.4}, {0.5, 0.5}}})
    CHECK_THROWS_AS(Mechanism(MassTable{.p = p, .q = q}), DomainError);
  const auto noise = [](std::vector<double> masses, double s) {
    return Mechanism(IntegerNoise{.masses = std::move(masses), .sensitivity = s});
  };
  CHECK_THROWS_AS(noise({0.25, 0.5, 0.25}, 1.5), DomainError);
  CHECK_THROWS_AS(noise({0.5, 0.25, 0.25}, 1), DomainError);
  CHECK_THROWS_AS(noise({0.4, 0.2, 0.4}, 1), DomainError);
  CHECK_THROWS_AS(noise({0.5, 0, 0, 0.5}, 1), DomainError);
  CHECK_THROWS_AS(noise({0.5, -0.25, 0.75}, 1), DomainError);
  for (const double bad : {0.0, -1.0, nan, infinity, 1e4}) {
    CHECK_THROWS_AS(Mechanism(ExponentialMechanism{bad}), DomainError);
    CHECK_THROWS_AS(Mechanism(PermuteAndFlip{bad}), DomainError);
    CHECK_THROWS_AS(Mechanism(Binomial{.n = bad}), DomainError);
  }
  for (const double bad : {1.0, 2.5, nan})
    CHECK_THROWS_AS(Mechanism(RandomizedResponse{.p = 0.5, .k = bad}), DomainError);
}

TEST_CASE("mechanisms.mass_table.infinite_losses_of_one_direction_only_are_no_symmetry") {
  const Mechanism table = MassTable{.p = {0.5, 0.5, 0}, .q = {0.5, 0.5, 1e-16}};
  CHECK_FALSE(table.symmetric());
  const DeltaAnswer found = delta(Composition().add(table, 1'000'000'000'000), {.epsilon = 0.1});
  CHECK_INSIDE(found, -std::expm1(1e12 * std::log1p(-1e-16)));
  CHECK(found.width() <= 1e-12);
}

}  // namespace
}  // namespace pld::test
