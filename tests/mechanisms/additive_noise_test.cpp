#include <boost/math/quadrature/exp_sinh.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "pld/account/query.hpp"
#include "pld/core/errors.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/generalized_gaussian.hpp"
#include "pld/mechanisms/logistic.hpp"
#include "pld/mechanisms/mechanism.hpp"
#include "pld/mechanisms/sinh_normal.hpp"
#include "pld/mechanisms/truncated_laplace.hpp"
#include "pld/pairs/symmetric_noise.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "support/location_law.hpp"
#include "support/pair_checks.hpp"

namespace pld::test {
namespace {

/// A case: noise of unit scale shifted by s, where its density part lies and between which losses.
struct Case {
  const char* name;
  Mechanism mechanism;
  Noise50 noise;
  double s;
  Real low, high, lowest, highest;

  [[nodiscard]] Law law() const { return location_law(noise, s, low, high, lowest, highest); }
};

Case unbounded(const char* name, const Mechanism& mechanism, const Noise50& noise, double s, double reach) {
  return {name, mechanism, noise, s, Real(-reach), Real(s + reach), -real_infinity(), real_infinity()};
}

Case truncated(double bound, double s) {
  const Real t = bound, shift = s, top = s < bound ? shift : Real(2 * t - shift);
  return {"truncated-laplace",
          TruncatedLaplace{.bound = bound, .sensitivity = s},
          truncated_laplace50(bound),
          s,
          std::max(Real(0), Real(shift - t)),
          std::min(shift, t),
          -top,
          top};
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const double s : {0.01, 0.5, 3.0, 40.0})
    all.push_back({"logistic", Logistic{.sensitivity = s}, logistic50(), s, -100, 100 + Real(s), -Real(s), Real(s)});
  for (const double s : {0.01, 1.0, 6.0, 9.0}) all.push_back(truncated(7, s));
  all.push_back(truncated(0.01, 0.005));
  for (const double s : {0.01, 0.5, 3.0})
    for (const double shape : {1.001, 1.1, 1.25, 1.5, 3.0, 6.5})
      all.push_back(unbounded("generalized", GeneralizedGaussian{.shape = shape, .sensitivity = s},
                              generalized50(shape), s, 1e4));
  for (const double s : {0.01, 0.5, 3.0}) {
    all.push_back(unbounded("sinh-normal", SinhNormal{.a = 1, .sensitivity = s}, sinh_normal50(1), s, 6));
    all.push_back(unbounded("sinh-normal", SinhNormal{.a = 20, .sensitivity = s}, sinh_normal50(20), s, 80));
  }
  return all;
}

/// Losses at outcomes where the noise about P's centre is x.
double loss_beyond(const Case& c, double x) {
  const Real at = x + Real(c.s);
  return static_cast<double>(c.noise.log_density(x) - c.noise.log_density(at));
}

TEST_CASE("mechanisms.additive_noise.reference_tails_are_the_integrals_of_their_densities") {
  boost::math::quadrature::exp_sinh<Real> integrator;
  for (const Case& c : cases()) {
    if (c.noise.largest < real_infinity() || c.s != 0.5) continue;
    for (const double x : {0.0, 0.3, 2.0}) {
      CAPTURE(c.name);
      const Real sum = integrator.integrate(
          [&](const Real& t) {
            const Real log_f = c.noise.log_density(x + t);
            return log_f > -1e6 ? Real(exp(log_f)) : Real(0);
          },
          Real(0), real_infinity(), Real(1e-30));
      CHECK_REL(static_cast<double>(sum), static_cast<double>(c.noise.tail(x)), 1e-15);
    }
  }
}

TEST_CASE("mechanisms.additive_noise.matches_50_digits") {
  Worst worst;
  for (const Case& c : cases()) {
    CAPTURE(c.name);
    CAPTURE(c.mechanism.text());
    const PairPtr pair = c.mechanism.pair(Direction::remove);
    const Law law = c.law();
    const double top = std::min(static_cast<double>(c.highest), loss_beyond(c, 2.5));
    for (const auto& [low, high] : {std::pair{-0.999, 0.999}, {-0.5, 0.01}, {0.3, 0.3 + 1e-6}, {-0.9, -0.9 + 1e-9}}) {
      const Worst cells = check_density(*pair, law, even_edges(low * top, high * top, 7));
      const Worst tails = check_tails(*pair, law, even_edges(low * top, high * top, 3));
      worst = {std::fmax(worst.mass, std::fmax(cells.mass, tails.mass)),
               std::fmax(worst.loss, std::fmax(cells.loss, tails.loss))};
    }
    std::vector<LossCell> all = pair->atoms(pair->range());
    pair->cells(std::vector{-infinity, -0.2 * top, 0.1 * top, infinity}, all);
    check_total(*pair, all, 1e-14);
    check_total(*pair, pair->outline(), 1e-12);
    CHECK(pair->outline().size() <= 1000);
  }
  MESSAGE("worst mass ", worst.mass, ", loss ", worst.loss, " of what is allowed");
}

TEST_CASE("mechanisms.additive_noise.losses_next_to_the_largest_double_are_finite") {
  for (const double s : {0.01, 0.5, 3.0})
    for (const Mechanism& mechanism :
         {Mechanism(SinhNormal{.a = 1, .sensitivity = s}), Mechanism(GeneralizedGaussian{.shape = 3, .sensitivity = s}),
          Mechanism(GeneralizedGaussian{.shape = 1.2, .sensitivity = s})}) {
      CAPTURE(mechanism.text());
      const PairPtr pair = mechanism.pair(Direction::remove);
      const double cubed_is_largest = 3 * s * std::pow(1.772e308, 2.0 / 3);  // 3 s x^2, the loss of shape 3 at x
      for (const double z :
           {1e150, 1e200, cubed_is_largest, 1e303, 1e307, 1.7e308, std::numeric_limits<double>::max()}) {
        CAPTURE(z);
        CHECK(pair->below(z).log_mass == 0);
        CHECK(pair->above(-z).log_mass == 0);
        for (const LossCell& cell : {pair->above(z), pair->below(-z)})
          if (cell.log_mass > -infinity) CHECK(std::isfinite(cell.loss));
      }
    }
}

/// delta(epsilon) = P(X > x - s) - e^epsilon P(X > x) where the loss at x is epsilon.
Real delta50(const Case& c, double epsilon) {
  const Masses above = c.law()(epsilon, real_infinity());
  const Real at_infinity = c.noise.largest < real_infinity() ? c.noise.above(c.noise.largest - Real(c.s)) : Real(0);
  return at_infinity + above.p - exp(Real(epsilon)) * above.q;
}

/// Nearly Laplace noise has losses of all sizes, but those above its usual ones at 10^50 scales only.
TEST_CASE("mechanisms.additive_noise.epsilons_of_nearly_laplace_noise_match_50_digits") {
  for (const double shape : {1.0001, 1.01, 1.05, 1.2}) {
    for (const double s : {0.01, 0.5, 3.0}) {
      const Case c =
          unbounded("generalized", GeneralizedGaussian{.shape = shape, .sensitivity = s}, generalized50(shape), s, 1e4);
      CAPTURE(c.mechanism.text());
      Composition run;
      run.add(c.mechanism);
      for (const double delta : {1e-3, 1e-6, 1e-12}) {
        if (delta > 0.5 * s) continue;
        const Answer found = epsilon(run, {.delta = delta});
        CHECK(found.width() <= 1e-10 * found.upper);
        CHECK(delta50(c, found.lower) >= Real(delta) * (1 - 1e-12));
        CHECK(delta50(c, found.upper) <= Real(delta) * (1 + 1e-12));
      }
    }
  }
}

TEST_CASE("mechanisms.additive_noise.deltas_fall_however_large_the_epsilon") {
  for (const double shape : {1.0001, 1.01, 1.2}) {
    for (const double q : {1.0, 0.3}) {
      for (const Relation relation : {Relation::add_remove, Relation::replace_one}) {
        const Mechanism noise = GeneralizedGaussian{.shape = shape, .scale = 3};
        Composition run(relation);
        run.add(q < 1 ? poisson_sampled(noise, q) : noise);
        CAPTURE(run.releases().front().mechanism.text());
        double before = infinity;
        for (const double epsilon : {3.0, 10.0, 50.0, 700.0}) {
          const double log_delta = delta(run, {.epsilon = epsilon}).log_delta.upper;
          CHECK(log_delta <= before);
          CHECK(log_delta < -100);
          before = log_delta;
        }
      }
    }
  }
}

void check_one_release(Engine engine, const std::vector<double>& shares) {
  double least = 1;
  for (const Case& c : cases()) {
    CAPTURE(c.mechanism.text());
    Composition run;
    run.add(c.mechanism);
    const double top = std::min(static_cast<double>(c.highest), loss_beyond(c, 2.5));
    for (const double share : shares) {
      double epsilon = share * top;
      if (epsilon >= c.highest) epsilon = static_cast<double>(c.highest) * (1 - 1e-9);
      CAPTURE(epsilon);
      const double exact = static_cast<double>(delta50(c, epsilon));
      const DeltaAnswer answer = delta(run, {.epsilon = epsilon, .tolerance = 0.01, .engine = engine});
      CHECK_INSIDE(answer, exact);
      if (engine == Engine::closed_form && epsilon <= 0.95 * c.highest && exact > 1e-60)
        CHECK(answer.width() <= 1e-6 * exact);
      if (exact > 0) least = std::min(least, exact);
    }
  }
  CHECK(least < 1e-30);
}

TEST_CASE("mechanisms.additive_noise.delta_of_one_release_down_to_1e-30") {
  check_one_release(Engine::closed_form, {-0.5, 0.0, 0.2, 0.9, 2.0});
}

TEST_CASE("mechanisms.additive_noise.lattice_of_one_release_down_to_1e-30" * doctest::test_suite("slow")) {
  check_one_release(Engine::lattice, {-0.5, 0.0, 0.2, 0.9, 2.0});
}

/// A user's own noise: Gaussian in the middle, exponential tails (Huber's least favourable density).
struct HuberNoise final : SymmetricLogConcaveNoise {
  const double c = 1, log_norm = std::log(2 * (std::sqrt(std::numbers::pi / 2) * std::erf(c / std::numbers::sqrt2) +
                                               std::exp(-c * c / 2) / c));
  double log_density(double x) const override {
    return (x = std::fabs(x), x < c ? -x * x / 2 : c * c / 2 - c * x) - log_norm;
  }
  double log_tail(double x) const override {
    if (x >= c) return c * c / 2 - c * x - std::log(c) - log_norm;
    return std::log(std::sqrt(std::numbers::pi / 2) *
                        (std::erf(c / std::numbers::sqrt2) - std::erf(x / std::numbers::sqrt2)) +
                    std::exp(-c * c / 2) / c) -
           log_norm;
  }
  double exponential_from() const override { return c; }
  std::vector<double> kinks() const override { return {c}; }
};

TEST_CASE("mechanisms.additive_noise.a_users_own_family") {
  const HuberNoise law;
  for (const double s : {0.3, 1.5, 4.0}) {
    const PairPtr pair = additive_noise_pair(std::make_shared<HuberNoise>(), s);
    const Mechanism mechanism("huber", pair, pair);
    REQUIRE(pair->atoms({}).size() == 2);
    CHECK_REL(pair->range().highest, s, 1e-14);
    Composition once, twice;
    once.add(mechanism);
    twice.add(mechanism, 2);
    const auto profile = [&](double epsilon) { return delta(once, {.epsilon = epsilon}).estimate; };
    // By the trapezoidal rule, from the density alone.
    const auto loss = [&](double x) { return law.log_density(x - s) - law.log_density(x); };
    const double step = 1e-3;
    for (const double share : {0.0, 0.4, 0.8}) {
      const double epsilon = share * s;
      CAPTURE(s);
      CAPTURE(epsilon);
      double single = 0, both = 0;
      for (double x = -40; x < 40 + s; x += step) {
        const double p = std::exp(law.log_density(x - s)) * step;
        single += p * std::fmax(0, -std::expm1(epsilon - loss(x)));
        const double rest = epsilon - loss(x);
        if (std::fmod(std::round(x / step), 50) == 0) both += 50 * p * profile(rest);
      }
      CHECK_REL(profile(epsilon), single, 1e-4);
      const DeltaAnswer answer = delta(twice, {.epsilon = epsilon});
      CHECK_REL(answer.estimate, both, 2e-2);
      CHECK(answer.converged);
    }
  }
}

/// A user's own Gaussian, to be that of the library.
struct PlainNormal final : SymmetricLogConcaveNoise {
  double log_density(double x) const override { return -x * x / 2 - 0.5 * std::log(2 * std::numbers::pi); }
  double log_tail(double x) const override { return std::log(std::erfc(x / std::numbers::sqrt2) / 2); }
};

TEST_CASE("mechanisms.additive_noise.the_normal_law_is_the_gaussian_mechanism") {
  const PairPtr own = additive_noise_pair(std::make_shared<PlainNormal>(), 0.7);
  const Mechanism mechanism("own", own, own);
  for (const double rate : {1.0, 0.03}) {
    Composition a, b;
    a.add(poisson_sampled(mechanism, rate), 100);
    b.add(poisson_sampled(Gaussian{.sigma = 1 / 0.7}, rate), 100);
    for (const double delta : {1e-3, 1e-9, 1e-30}) {
      const Answer got = epsilon(a, {.delta = delta, .tolerance = 1e-3}),
                   want = epsilon(b, {.delta = delta, .tolerance = 1e-3});
      CHECK(got.lower <= want.upper);
      CHECK(want.lower <= got.upper);
      CHECK(got.converged);
    }
  }
}

TEST_CASE("mechanisms.additive_noise.shapes_1_and_2_are_laplace_and_gauss") {
  for (const double shape : {1.0, 2.0}) {
    Composition exact, near;
    exact.add(GeneralizedGaussian{.shape = shape, .sensitivity = 0.8});
    near.add(GeneralizedGaussian{.shape = shape + 1e-9, .sensitivity = 0.8});
    for (const double epsilon : {-0.3, 0.0, 0.5, 0.75})
      CHECK_REL(delta(near, {.epsilon = epsilon}).estimate, delta(exact, {.epsilon = epsilon}).estimate, 1e-6);
  }
}

TEST_CASE("mechanisms.additive_noise.sampling_and_smaller_shifts_never_raise_delta") {
  for (const Case& c : cases()) {
    if (c.s != 0.5 && c.s != 1.0) continue;
    CAPTURE(c.mechanism.text());
    Composition whole, sampled;
    whole.add(c.mechanism, 3);
    sampled.add(poisson_sampled(c.mechanism, 0.3), 3);
    for (const double epsilon : {0.1, 0.6, 1.1})
      CHECK(delta(sampled, {.epsilon = epsilon, .tolerance = 0.01}).lower <=
            delta(whole, {.epsilon = epsilon, .tolerance = 0.01}).upper);
  }
}

TEST_CASE("mechanisms.additive_noise.disjoint_supports_are_told_apart") {
  Composition run;
  run.add(TruncatedLaplace{.bound = 1, .sensitivity = 2});
  CHECK(delta(run, {.epsilon = 100}).lower > 1 - 1e-14);
}

TEST_CASE("mechanisms.additive_noise.refuses") {
  for (const double bad : {0.0, -1.0, std::nan(""), infinity}) {
    CHECK_THROWS_AS(Mechanism(Logistic{.scale = bad}), DomainError);
    CHECK_THROWS_AS(Mechanism(GeneralizedGaussian{.sensitivity = bad}), DomainError);
    CHECK_THROWS_AS(Mechanism(TruncatedLaplace{.bound = bad}), DomainError);
    CHECK_THROWS_AS(Mechanism(SinhNormal{.a = bad}), DomainError);
    CHECK_THROWS_AS((void)additive_noise_pair(std::make_shared<PlainNormal>(), bad), DomainError);
  }
  CHECK_THROWS_AS(Mechanism(GeneralizedGaussian{.shape = 0.99}), DomainError);
  CHECK_THROWS_AS(Mechanism(SinhNormal{.sigma = 2, .a = 1.9}), DomainError);
}

}  // namespace
}  // namespace pld::test
