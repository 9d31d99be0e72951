#include "pld/readout/divergence.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "pairs/alpha_generator.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/readout_reference.hpp"

namespace {

using namespace pld;
using test::as_double;
using test::check_close;
using test::Real;

constexpr double inf = INFINITY;

Composition one(const Mechanism& mechanism, std::int64_t count = 1) { return Composition().add(mechanism, count); }

/// D_order of atoms, by their sum.
Real renyi_of(const std::vector<test::ExactAtom>& atoms, const Real& order) {
  Real sum = 0;
  for (const auto& atom : atoms)
    sum += order == 1 ? Real(atom.mass * atom.loss) : Real(atom.mass * exp((order - 1) * atom.loss));
  return order == 1 ? sum : Real(log(sum) / (order - 1));
}

/// E_Q[((1 - q) + q e^{mu x - mu^2/2})^n], Q normal, n whole: a binomial sum of normal moments (Mironov, Talwar, Zhang
/// 2019).
Real sampled_gaussian_moment(const Real& mu, const Real& q, unsigned n) {
  Real sum = 0, ways = 1;
  for (unsigned k = 0; k <= n; ++k) {
    sum += ways * pow(1 - q, n - k) * pow(q, k) * exp(k * (Real(k) - 1) * mu * mu / 2);
    ways = ways * (n - k) / (k + 1);
  }
  return sum;
}

}  // namespace

TEST_CASE("readout.divergence.generator_against_50_digits") {
  for (const double order : {0.01, 0.5, 0.999999, 1.0, 1.0000001, 1.5, 2.0, 30.0}) {
    for (const double z :
         {-700.0, -30.0, -1.0, -0.2, -0.1, -1e-3, -1e-9, 1e-12, 1e-4, 0.05, 0.11, 0.7, 3.0, 40.0, 600.0}) {
      const Real r = exp(Real(z)), a = order;
      const Real psi = order == 1 ? Real(r * z - (r - 1)) : Real((pow(r, a) - 1 - a * (r - 1)) / (a * (a - 1)));
      if (abs(psi) < 1e-30) continue;  // 50 digits are not enough for the reference
      const double exact = as_double(log(psi)),
                   error = 1e-14 * (1 + std::fabs(exact) + (1 + order) * std::fabs(z) + 1 / order);
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
    for (const double order : {0.01, 0.5, 1.0, 1.5, 2.0, 100.0})
      check_close(renyi_divergence(run, order), order * square / 2, 1e-10);
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

TEST_CASE("readout.divergence.alpha_divergences_next_to_the_largest_double_and_beyond") {
  // (E_Q r^alpha - 1) / (alpha (alpha - 1)), whose exponential or whose divisor is no double.
  for (const auto& [epsilon, alpha] : std::vector<std::pair<double, double>>{{1, 690},
                                                                             {1, 705},
                                                                             {1, 715},
                                                                             {1, 722},
                                                                             {1, 724},
                                                                             {1, 800},
                                                                             {7.2e-158, 1e160},
                                                                             {6.9e-158, 1e160},
                                                                             {1e-200, 1e160},
                                                                             {1e-3, 1e300},
                                                                             {0, 1e308}}) {
    const Bracket found = alpha_divergence(one(ApproximateDp{.epsilon = epsilon, .delta = 0}), alpha);
    const Real e = epsilon, a = alpha, p = exp(e) / (1 + exp(e));
    const Real moment = (a - 1) * e > 1e6 ? Real(infinity) : Real(p * exp((a - 1) * e) + (1 - p) * exp(-(a - 1) * e));
    CAPTURE(epsilon);
    CAPTURE(alpha);
    CHECK(!std::isnan(found.estimate));
    CHECK(found.lower <= found.estimate);
    CHECK(found.estimate <= found.upper);
    const Real exact = (moment - 1) / (a * (a - 1));
    test::check_holds(found, exact);
    CHECK(found.lower < inf);
    CHECK(contradictions() == 0);
    if (exact < 1e308 && epsilon > 1e-100) check_close(found, exact, 1e-9);
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

/// Each kind's, by its binomial sum; boxes of kinds are known from two sides.
TEST_CASE("readout.divergence.thousands_of_kinds_lie_about_their_sum") {
  constexpr int kinds = 3000;
  const double q = 0.005;
  const auto sigma = [](int i) { return 2 * std::exp2(-static_cast<double>(i) / kinds); };
  Composition all;
  Real sum = 0;
  for (int i = 0; i < kinds; ++i) {
    all.add(poisson_sampled(Gaussian{.sigma = sigma(i)}, q));
    sum += log(sampled_gaussian_moment(1 / Real(sigma(i)), q, 8)) / 7;
  }
  const Bracket found = renyi_divergence(all, 8);
  CHECK_INSIDE(found, as_double(sum));
  CHECK(found.width() < 0.02 * found.upper);
}

/// A cell of a group's pair takes as long as many points: more of them than there is time for are not cut.
TEST_CASE("readout.divergence.many_groups_are_told_within_their_work") {
  const auto groups = [](int kinds) {
    Composition all(Neighbours(Relation::add_remove, 3));
    for (int i = 0; i < kinds; ++i)
      all.add(poisson_sampled(Gaussian{.sigma = 2 - static_cast<double>(i) / kinds}, 0.005));
    return all;
  };
  const Composition ten = groups(10), all = groups(300);
  const Bracket few = renyi_divergence(ten, 3), found = renyi_divergence(all, 3);
  CHECK(few.width() < 1e-4 * few.upper);
  // Ten of the 300 have the noise of each of these: 29 more have less noise, and lose more.
  CHECK(found.upper > 30 * few.lower);
  CHECK(found.width() < 0.1 * found.upper);
}

TEST_CASE("readout.divergence.swap_of_orders_and_directions") {
  // (1 - a) D_a(P||Q) = a D_{1-a}(Q||P).
  const Composition run = one(poisson_sampled(Gaussian{.sigma = 1}, 0.1), 5).add(Laplace{.scale = 3});
  for (const double order : {0.1, 0.35, 0.5}) {
    const Bracket remove = renyi_divergence(run, order, DirectionChoice::remove),
                  add = renyi_divergence(run, 1 - order, DirectionChoice::add);
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

// Of k records each loses at most what one does: D_inf <= k log(1 + q (e^epsilon - 1)), or that of its add.
TEST_CASE("readout.divergence.a_group_s_largest_loss_is_at_most_that_of_its_records") {
  constexpr double q = 0.1, loss = 1.0986122886681098;  // log 3
  constexpr int k = 3;
  Composition group(Neighbours(Relation::add_remove, k));
  group.add(poisson_sampled(RandomizedResponse{.p = 0.75}, q), 2);
  const double removed = 2 * k * std::log1p(q * std::expm1(loss)), added = -2 * k * std::log1p(q * std::expm1(-loss));
  for (const auto& [direction, most] : {std::pair(DirectionChoice::worst, removed),
                                        {DirectionChoice::remove, removed},
                                        {DirectionChoice::add, added}}) {
    const Bracket found = max_divergence(group, direction);
    CHECK_REL(found.upper, most, 1e-12);
    CHECK(found.upper >= most * (1 - 1e-14));
    CHECK(found.lower <= found.upper);
  }
  Composition allocated(Neighbours(Relation::add_remove, k));
  allocated.add(randomly_allocated(Laplace{.scale = 1}, 10));
  CHECK_REL(max_divergence(allocated).upper, k, 1e-12);  // who is told the steps sees three records lose 1 each
}

// Nodes of an allocation end, the law that they stand for does not.
TEST_CASE("readout.divergence.allocations_of_normal_noise_lose_without_end") {
  const Composition epochs = one(randomly_allocated(Gaussian{.sigma = 4}, 20));
  for (const DirectionChoice direction : {DirectionChoice::worst, DirectionChoice::remove}) {
    CHECK(max_divergence(epochs, direction).lower == inf);
    CHECK(renyi_divergence(epochs, inf, direction).lower == inf);
    CHECK(profile(epochs).largest_loss(direction).lower == inf);
    CHECK(epsilon(epochs, {.delta = 0, .direction = direction}).lower == inf);
  }
  const Composition of_answers = one(randomly_allocated(RandomizedResponse{.p = 0.75}, 2));
  CHECK(max_divergence(of_answers).upper < 1.1);
}

TEST_CASE("readout.divergence.discrete_gaussian_equals_its_sum") {
  // (sigma, sensitivity): at a whole order times sensitivity the continuous law's order s^2 / (2 sigma^2) itself.
  for (const auto& noise : {std::pair{0.5, 1}, {3.0, 1}, {3.0, 4}, {40.0, 1}}) {
    const double sigma = noise.first;
    const int s = noise.second;
    const Composition run = one(DiscreteGaussian{.sigma = sigma, .sensitivity = static_cast<double>(s)}, 5);
    const Real square = Real(sigma) * sigma;
    for (const double order : {0.3, 1.0, 1.37, 2.0, 5.5, 40.0, 300.0}) {
      const Real a = order;
      Real sum = 0, theta = 0, mean = 0;
      const int reach = static_cast<int>(order * s + 30 * sigma) + 30;
      for (int x = -reach; x <= reach; ++x) {
        const Real q = exp(-Real(x) * x / (2 * square)), loss = s * (2 * Real(x) - s) / (2 * square);
        theta += q;
        sum += q * exp(a * loss);
        mean += q * exp(loss) * loss;
      }
      const Real exact = order == 1 ? Real(mean / theta) : Real(log(sum / theta) / (a - 1));
      CAPTURE(sigma);
      CAPTURE(order);
      check_close(renyi_divergence(run, order), 5 * exact, 1e-6);
      if (order == 2 || order == 300) CHECK_REL(as_double(exact), order * s * s / (2 * sigma * sigma), 1e-30);
    }
  }
}

TEST_CASE("readout.divergence.sampled_discrete_gaussian_equals_its_binomial_sum") {
  const double sigma = 2, q = 0.01;
  const Composition run = one(poisson_sampled(DiscreteGaussian{.sigma = sigma}, q), 100);
  for (const unsigned order : {2u, 5u, 30u}) {
    const Real exact = 100 * log(sampled_gaussian_moment(1 / Real(sigma), q, order)) / (order - 1);
    const Bracket found = renyi_divergence(run, order, DirectionChoice::remove);
    CAPTURE(order);
    CHECK_INSIDE(found, as_double(exact));
    CHECK(found.width() <= 1e-9 * found.upper);
    CHECK(renyi_divergence(run, order, DirectionChoice::add).upper < inf);
  }
}

TEST_CASE("readout.divergence.poisson_differences_equal_their_sums") {
  // The masses of X - Y as sums over Y, then E_Q r^order.
  const auto masses = [](const Real& plus, const Real& minus, int reach) {
    std::vector<Real> all;
    for (int k = -reach; k <= reach; ++k) {
      Real term = exp(-plus - minus), sum = 0;
      for (int i = 1; i <= std::abs(k); ++i) term *= (k > 0 ? plus : minus) / i;
      for (int j = 1; term > sum * Real("1e-48"); ++j) {
        sum += term;
        term *= plus * minus / (j * (std::abs(k) + Real(j)));
      }
      all.push_back(sum);
    }
    return all;
  };
  for (const auto& noise : {std::tuple{0.8, 0.8, 1}, {6.0, 6.0, 2}, {4.0, 1.5, 1}}) {
    const double plus = std::get<0>(noise), minus = std::get<1>(noise);
    const int s = std::get<2>(noise);
    constexpr int reach = 400;
    const std::vector<Real> law = masses(plus, minus, reach);
    const Composition run =
        one(PoissonDifference{.plus = plus, .minus = minus, .sensitivity = static_cast<double>(s)}, 3);
    for (const double order : {0.4, 1.0, 1.5, 2.0, 12.0}) {
      for (const auto direction : {DirectionChoice::remove, DirectionChoice::add}) {
        Real sum = 0;
        for (std::size_t i = static_cast<std::size_t>(s); i < law.size(); ++i) {
          const Real &moved = law[i - static_cast<std::size_t>(s)], &still = law[i];
          const Real &p = direction == DirectionChoice::remove ? moved : still,
                     &q = direction == DirectionChoice::remove ? still : moved;
          sum += order == 1 ? Real(p * log(p / q)) : Real(pow(p, Real(order)) * pow(q, 1 - Real(order)));
        }
        CAPTURE(order);
        CAPTURE(plus);
        check_close(renyi_divergence(run, order, direction),
                    3 * (order == 1 ? sum : Real(log(sum) / (Real(order) - 1))), 1e-9);
      }
    }
  }
}

TEST_CASE("readout.divergence.gaussian_mixture_equals_its_multinomial_sum") {
  // E_Q of a product of likelihood ratios e^{m_i x - m_i^2 / 2} is e^{sum over pairs m_i m_j}.
  const std::vector<double> shifts{0, 1, 2.5}, weights{0.7, 0.2, 0.1};
  const Composition run = one(GaussianMixture{.sigma = 1, .shifts = shifts, .weights = weights}, 7);
  Real second = 0, third = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const Real w = Real(weights[i]) * weights[j], pairs = Real(shifts[i]) * shifts[j];
      second += w * exp(pairs);
      for (std::size_t k = 0; k < 3; ++k)
        third += w * weights[k] * exp(pairs + (Real(shifts[i]) + shifts[j]) * shifts[k]);
    }
  check_close(renyi_divergence(run, 2, DirectionChoice::remove), 7 * log(second), 5e-6);
  check_close(renyi_divergence(run, 3, DirectionChoice::remove), 7 * log(third) / 2, 5e-6);
  // Without a shift of 0 the losses of the direction add have no bound either.
  const Composition apart = one(GaussianMixture{.sigma = 1, .shifts = {1, 2}, .weights = {0.5, 0.5}});
  const Bracket add = renyi_divergence(apart, 3, DirectionChoice::add);
  CHECK(add.upper < inf);
  CHECK(add.width() <= 5e-6 * add.upper);
}

TEST_CASE("readout.divergence.generalized_gaussian_equals_a_fine_sum") {
  // The trapezoidal rule on the whole line, of densities that have two derivatives at least.
  for (const double shape : {3.0, 4.0}) {
    const Composition run = one(GeneralizedGaussian{.shape = shape, .scale = 1.5}, 2);
    for (const double order : {0.5, 2.0, 6.0, 25.0}) {
      const long double h = 1.0L / 256, s = 1 / 1.5L;  // errs by h^4
      const auto exponent = [&](long double x) {
        return -order * std::pow(std::fabs(x - s), shape) - (1 - order) * std::pow(std::fabs(x), shape);
      };
      long double top = 0, sum = 0, whole = 0;
      for (int i = -256 * 60; i <= 256 * 60; ++i) top = std::max<long double>(top, exponent(i * h));
      for (int i = -256 * 60; i <= 256 * 60; ++i) {
        whole += std::exp(-std::pow(std::fabs(i * h), static_cast<long double>(shape)));
        sum += std::exp(exponent(i * h) - top);
      }
      CAPTURE(shape);
      CAPTURE(order);
      check_close(renyi_divergence(run, order), 2 * static_cast<Real>(top + std::log(sum / whole)) / (Real(order) - 1),
                  shape == 4 && order == 25 ? 2e-3 : 1e-5);  // 1.6e5 nats, far beyond the outline
    }
  }
}

TEST_CASE("readout.divergence.sinh_normal_is_finite_up_to_its_order_only") {
  // Exponential in the order's share of e^{2 (x - s) / a}: infinite from 1 / (1 - e^{-2 s / a}) on.
  const double a = 3, s = 0.5;
  const Composition run = one(SinhNormal{.sigma = 1, .a = a, .sensitivity = s});
  const double edge = 1 / (1 - std::exp(-2 * s / a));
  CHECK(renyi_divergence(run, edge * 1.001).lower == inf);
  CHECK(renyi_divergence(run, 100).lower == inf);
  for (const double order : {0.5, 1.5, 0.5 * (1 + edge), 0.98 * edge}) {
    const long double o = order, h = 1.0L / 1024;
    long double sum = 0;
    for (int i = -1024 * 30; i <= 1024 * 30; ++i) {
      const auto log_density = [&](long double x) {
        const long double y = a * std::sinh(x / a);
        return std::log(std::cosh(x / a)) - y * y / 2 - std::log(2 * std::acos(-1.0L)) / 2;
      };
      sum += std::exp(o * log_density(i * h - s) + (1 - o) * log_density(i * h));
    }
    CAPTURE(order);
    check_close(renyi_divergence(run, order), static_cast<Real>(std::log(sum * h)) / (Real(order) - 1), 1e-5);
  }
}

TEST_CASE("readout.divergence.tail_bounds_lie_above_the_tails_and_near") {
  // log E_Q[e^{order z}; z > from], the terms summed one by one.
  const auto check = [](const DominatingPair& pair, double order, double from) {
    double sum = -inf;
    for (const LossCell& atom : pair.atoms({from, from + 40}))
      if (atom.loss > from) {
        const double term = atom.log_q_mass + order * atom.loss, top = std::max(sum, term);
        sum = top + std::log(std::exp(sum - top) + std::exp(term - top));
      }
    CAPTURE(order);
    CAPTURE(from);
    CHECK(pair.log_tail_moment(order, from) >= sum - 1e-9 * std::fabs(sum));
    CHECK(pair.log_tail_moment(order, from) <= sum + 5);
  };
  const auto remove = [](const Mechanism& m) { return m.pair(Direction::remove); };
  for (const double order : {1.5, 2.0, 8.0}) {
    check(*remove(DiscreteGaussian{.sigma = 1.5}), order, order + 3);
    check(*remove(DiscreteGaussian{.sigma = 0.4, .sensitivity = 2}), order, 30 * order);
    check(*remove(Skellam{.variance = 2}), order, 4.5);
    check(*remove(PoissonDifference{.plus = 3, .minus = 1}), order, 4);
    check(*remove(poisson_sampled(DiscreteGaussian{.sigma = 1.5}, 0.3)), order, order + 3);
    const auto of_two = [](const Mechanism& m) { return m.under(Neighbours(Relation::add_remove, 2)); };
    check(*remove(of_two(poisson_sampled(DiscreteGaussian{.sigma = 1.5}, 0.9))), order, 4 * order + 6);
    check(*remove(of_two(poisson_sampled(Skellam{.variance = 2}, 0.7))), order, 9);
    // One record's loss is at its limit where two records' is not.
    check(*remove(of_two(poisson_sampled(DiscreteLaplace{.a = 0.5, .sensitivity = 3}, 0.7))), order, 1.4);
  }
}

TEST_CASE("readout.divergence.noise_of_ones_own_has_no_upper_end") {
  class Own final : public SymmetricLogConcaveNoise {
   public:
    [[nodiscard]] double log_density(double x) const override { return -0.5 * x * x - 0.91893853320467274178; }
    [[nodiscard]] double log_tail(double x) const override { return std::log(0.5 * std::erfc(x / std::sqrt(2.0))); }
  };
  const auto pair = additive_noise_pair(std::make_shared<Own>(), 1);
  CHECK(pair->log_tail_moment(2, 30) == inf);
}

TEST_CASE("readout.divergence.refuses") {
  CHECK_THROWS_AS((void)renyi_divergence(one(Laplace{.scale = 1}), 0), DomainError);
  CHECK_THROWS_AS((void)renyi_divergence(one(Laplace{.scale = 1}), NAN), DomainError);
  CHECK_THROWS_AS((void)alpha_divergence(one(Laplace{.scale = 1}), inf), DomainError);
  CHECK_THROWS_AS((void)kl_divergence(one(Laplace{.scale = 1}), DirectionChoice::worst, 0), DomainError);
}
