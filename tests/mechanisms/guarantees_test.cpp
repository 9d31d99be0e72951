#include <cmath>

#include "pld/account/privacy_profile.hpp"
#include "pld/account/query.hpp"
#include "pld/core/errors.hpp"
#include "pld/mechanisms/approximate_dp.hpp"
#include "pld/mechanisms/discrete_gaussian.hpp"
#include "pld/mechanisms/dp_points.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/mechanisms/mechanism.hpp"
#include "pld/mechanisms/randomized_response.hpp"
#include "pld/mechanisms/renyi_guarantees.hpp"
#include "pld/mechanisms/trade_off_points.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "support/pair_checks.hpp"

namespace pld::test {
namespace {

double middle_delta(const Composition& run, double epsilon) { return delta(run, {.epsilon = epsilon}).estimate; }

TEST_CASE("mechanisms.dp_points.one_point_is_leaky_randomized_response") {
  for (const auto& point : {std::pair{1.0, 0.0}, {0.5, 1e-5}, {0.0, 0.25}, {3.0, 1e-30}, {0.0, 0.0}, {40.0, 1e-12}}) {
    const double e = point.first, d = point.second;
    CAPTURE(e);
    CAPTURE(d);
    for (const int k : {1, 6}) {
      const Composition points = Composition().add(DpPoints{.epsilons = {e}, .deltas = {d}}, k);
      const Composition known = Composition().add(ApproximateDp{.epsilon = e, .delta = d}, k);
      for (const double epsilon : {-0.7, 0.0, 0.3, 1.5, 30.0}) {
        CAPTURE(epsilon);
        const DeltaAnswer a = delta(points, {.epsilon = epsilon}), b = delta(known, {.epsilon = epsilon});
        CHECK(a.upper >= b.lower * (1 - 1e-12));
        CHECK(a.lower <= b.upper * (1 + 1e-11));
      }
    }
  }
}

TEST_CASE("mechanisms.guarantees.epsilon_at_their_own_delta_is_theirs") {
  const double delta = 1e-6, more = std::nextafter(delta, 1), less = std::nextafter(delta, 0);
  const Mechanism noise = Laplace{.scale = 4};
  for (const Mechanism& m : {Mechanism(ApproximateDp{.epsilon = 2, .delta = delta}),
                             Mechanism(DpPoints{.epsilons = {2, 1}, .deltas = {delta, 1e-5}})}) {
    CAPTURE(m.text());
    const Composition one = Composition().add(m), beside_noise = Composition().add(m).add(noise, 8);
    const auto epsilon_at = [](const Composition& run, double d) { return epsilon(run, {.delta = d}); };
    CHECK(epsilon_at(one, delta).lower == 2);
    CHECK(epsilon_at(one, delta).upper == 2);
    CHECK(epsilon_at(beside_noise, delta).lower == 4);
    CHECK(epsilon_at(beside_noise, delta).upper == 4);
    CHECK(epsilon_at(one, less).lower == infinity);
    CHECK(epsilon_at(one, more).upper <= 2);
    CHECK(epsilon_at(Composition().add(m).add(Gaussian{.sigma = 1}), delta).lower == infinity);
    CHECK(epsilon_at(Composition().add(m, 2), delta).lower == infinity);
    CHECK(PrivacyProfile(one).epsilon(delta).upper == 2);
    for (const double beyond : {2.0, 7.0}) {
      CHECK(pld::delta(one, {.epsilon = beyond}).lower == delta);
      CHECK(pld::delta(one, {.epsilon = beyond}).upper == delta);
    }
  }
}

TEST_CASE("mechanisms.guarantees.epsilon_of_samples_at_their_own_delta") {
  const double delta = 1e-6;
  for (const double q : {0.25, 0.1, 1.0 / 3}) {  // of the first alone the product with delta is a double
    CAPTURE(q);
    const Composition run = Composition().add(poisson_sampled(ApproximateDp{.epsilon = 1, .delta = delta}, q));
    const double largest = std::log1p(q * std::expm1(1.0));
    const DoublesAround own = doubles_around_product(q, delta);
    const auto epsilon_at = [&](double d) { return epsilon(run, {.delta = d}); };
    CHECK_REL(epsilon_at(own.above).lower, largest, 1e-12);
    CHECK_REL(epsilon_at(own.above).upper, largest, 1e-12);
    CHECK(epsilon_at(std::nextafter(own.below, 0)).lower == infinity);
    CHECK(is_double(own) == (epsilon_at(own.below).upper < infinity));
    CHECK(pld::delta(run, {.epsilon = largest + 1}).lower == own.below);
    CHECK(pld::delta(run, {.epsilon = largest + 1}).upper == own.above);
  }
}

/// The least upper bound from all chords between points, their mirror images, (0, 1) and the level of the last one.
Real least_chord(const std::vector<double>& epsilons, const std::vector<double>& deltas, double epsilon) {
  std::vector<std::pair<Real, Real>> points{{0, 1}};
  Real lowest = 1;
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    const Real alpha = exp(Real(epsilons[i])), d = deltas[i];
    points.emplace_back(alpha, d);
    points.emplace_back(1 / alpha, 1 - 1 / alpha + d / alpha);
    lowest = std::min(lowest, d);
  }
  const Real at = exp(Real(epsilon));
  Real best = 1;
  for (const auto& [x, y] : points) {
    if (x <= at) best = std::min(best, y);
    for (const auto& [u, v] : points)
      if (x < at && at <= u) best = std::min(best, Real(y + (v - y) * (at - x) / (u - x)));
  }
  // The mirror image of the level: a line from 1 of slope -(1 - lowest).
  const Real line = 1 - at * (1 - lowest);
  for (const auto& [u, v] : points)
    if (at < u) best = std::min(best, std::max(line, Real(1 - at * (1 - v) / u)));
  return best;
}

TEST_CASE("mechanisms.dp_points.are_the_convex_minorant") {
  const std::vector<std::pair<std::vector<double>, std::vector<double>>> cases{
      {{0.5, 1, 2}, {0.1, 1e-3, 1e-9}},
      {{0, 0.5, 1, 2, 4}, {0.3, 0.1, 0.09, 1e-4, 1e-20}},
      {{2, 0.25, 1}, {0, 0.2, 0.15}},
      {{1, 1.5}, {1e-3, 1e-3}}};
  for (const auto& [epsilons, deltas] : cases) {
    const Mechanism m = DpPoints{.epsilons = epsilons, .deltas = deltas};
    CAPTURE(m.text());
    CHECK(m.symmetric());
    check_total(*m.pair(Direction::remove), m.pair(Direction::remove)->atoms({}), 1e-12);
    const Composition run = Composition().add(m);
    for (const double epsilon : {-3.0, -1.0, -0.3, 0.0, 0.2, 0.5, 0.8, 1.2, 3.0, 5.0}) {
      CAPTURE(epsilon);
      const Real exact = least_chord(epsilons, deltas, epsilon);
      const DeltaAnswer got = delta(run, {.epsilon = epsilon});
      CHECK(Real(got.upper) >= exact);
      CHECK(Real(got.lower) <= exact);
      CHECK(got.width() <= 1e-9 * got.upper);
    }
  }
}

// Equally steep from -infinity on as far as long doubles tell, but not from one to the next.
TEST_CASE("mechanisms.dp_points.epsilons_next_to_zero") {
  const PairPtr pair =
      Mechanism(DpPoints{.epsilons = {2e-168, 2e-166}, .deltas = {3e-164, 1e-314}}).pair(Direction::remove);
  check_total(*pair, pair->atoms(pair->range()), 1e-14);
  const DeltaAnswer found =
      delta(Composition().add(DpPoints{.epsilons = {2e-168, 2e-166}, .deltas = {3e-164, 1e-314}}), {.epsilon = 0});
  CHECK(found.lower <= 1e-166 * (1 + 1e-12));  // (1e-314 and) randomized response of 2e-166
  CHECK(1e-166 * (1 - 1e-12) <= found.upper);
}

TEST_CASE("mechanisms.trade_off.is_its_own_conjugate") {
  const std::vector<double> alphas{0, 0.125, 0.5, 1}, betas{0.875, 0.5, 0.125, 0};
  const Composition run = Composition().add(TradeOffPoints{.alphas = alphas, .betas = betas});
  for (const double epsilon : {-4.0, -1.0, -0.2, 0.0, 0.4, 1.0, 1.2, 6.0}) {
    CAPTURE(epsilon);
    // sup of 1 - f(a) - e^epsilon a, taken at a vertex, of f and of its mirror image; the pair has the smaller of both.
    Real own = 0, inverse = 0;
    for (std::size_t i = 0; i < alphas.size(); ++i) {
      own = std::max(own, Real(1 - betas[i] - exp(Real(epsilon)) * alphas[i]));
      inverse = std::max(inverse, Real(1 - alphas[i] - exp(Real(epsilon)) * betas[i]));
    }
    const Real exact = std::min(own, inverse);
    const DeltaAnswer got = delta(run, {.epsilon = epsilon});
    CHECK(Real(got.lower) <= exact);
    CHECK(Real(got.upper) >= exact);
  }
  // Randomized response's trade-off function gives randomized response.
  const double e = 1.25, corner = 1 / (1 + std::exp(e));
  const Composition two = Composition().add(TradeOffPoints{.alphas = {0, corner, 1}, .betas = {1, corner, 0}}, 5);
  const Composition pure = Composition().add(ApproximateDp{.epsilon = e}, 5);
  for (const double epsilon : {0.0, 2.0, 5.0}) CHECK_REL(middle_delta(two, epsilon), middle_delta(pure, epsilon), 1e-6);
}

/// min over a fine grid of orders of the conversion, in 50 digits.
double converted50(const std::function<Real(const Real&)>& curve, double highest, double epsilon) {
  Real best = 0;
  for (double t = -12; t < std::fmin(std::log(highest - 1), 12.0); t += 4e-3) {
    const Real b = exp(Real(t)), a = 1 + b;
    best = std::min(best, Real(b * (curve(a) - epsilon) + b * log(b / a) - log(a)));
  }
  return static_cast<double>(best);
}

TEST_CASE("mechanisms.renyi_guarantees.match_the_conversion") {
  struct Case {
    Mechanism mechanism;
    std::function<Real(const Real&)> curve;
    double highest, widest;
  };
  const std::vector<Case> cases{
      {ConcentratedDp{.rho = 0.02}, [](const Real& a) { return Real(0.02 * a); }, 1e300, 0.02},
      {ConcentratedDp{.rho = 2, .xi = 0.5}, [](const Real& a) { return Real(0.5 + 2 * a); }, 1e300, 0.02},
      {TruncatedConcentratedDp{.rho = 0.05, .omega = 12}, [](const Real& a) { return Real(0.05 * a); }, 12, 0.02},
      {RenyiDp{.orders = {3, 20}, .epsilons = {0.1, 0.5}}, [](const Real& a) { return a <= 3 ? Real(0.1) : Real(0.5); },
       20, 0.02}};
  for (const Case& c : cases) {
    CAPTURE(c.mechanism.text());
    CHECK(c.mechanism.symmetric());
    const Composition run = Composition().add(c.mechanism);
    double last = 1;
    for (const double share : {0.0, 0.3, 1.0, 2.0, 4.0, 8.0}) {
      const double epsilon = share * 1.5;
      CAPTURE(epsilon);
      const double want = converted50(c.curve, c.highest, epsilon);
      const DeltaAnswer got = delta(run, {.epsilon = epsilon});
      CHECK(got.upper <= last);
      last = got.upper;
      if (epsilon == 0 || want < -700) continue;  // the mirror images help; beyond the last point
      // The minorant lies below the converted profile but for its chords between 3000 points.
      CHECK(got.log_delta.upper <= want + c.widest);
    }
  }
}

TEST_CASE("mechanisms.renyi_guarantees.dominate_what_satisfies_them") {
  // N(1, sigma^2) against N(0, sigma^2) is 1/(2 sigma^2)-zCDP; epsilon-DP is epsilon^2/2-zCDP (Bun, Steinke 2016).
  for (const double sigma : {0.7, 3.0, 20.0}) {
    const Composition gaussian = Composition().add(Gaussian{.sigma = sigma}),
                      pure = Composition().add(Laplace{.scale = sigma});
    const Composition zcdp = Composition().add(ConcentratedDp{.rho = 0.5 / sigma / sigma});
    const Composition tcdp = Composition().add(TruncatedConcentratedDp{.rho = 0.5 / sigma / sigma, .omega = 30});
    for (const double epsilon : {-1.0, -0.1, 0.0, 0.05, 0.5, 2.0, 10.0}) {
      CAPTURE(sigma);
      CAPTURE(epsilon);
      for (const Composition& guarantee : {zcdp, tcdp}) {
        CHECK(delta(guarantee, {.epsilon = epsilon}).upper >= delta(gaussian, {.epsilon = epsilon}).lower);
        CHECK(delta(guarantee, {.epsilon = epsilon}).upper >= delta(pure, {.epsilon = epsilon}).lower);
      }
    }
  }
}

TEST_CASE("mechanisms.renyi_guarantees.add_up_before_they_are_converted") {
  const Composition many =
      Composition().add(ConcentratedDp{.rho = 1e-3}, 100).add(RenyiDp{.orders = {5, 50}, .epsilons = {0.01, 0.1}}, 2);
  const Answer got = epsilon(many, {.delta = 1e-8});
  REQUIRE(got.renyi_routes.has_value());
  CHECK(got.upper == std::fmin(got.renyi_routes->added_first.upper, got.renyi_routes->converted_first.upper));
  CHECK(got.renyi_routes->added_first.upper < got.renyi_routes->converted_first.upper);
  // k times rho is k rho.
  const Answer once = epsilon(Composition().add(ConcentratedDp{.rho = 0.1}), {.delta = 1e-8});
  const Answer split = epsilon(Composition().add(ConcentratedDp{.rho = 1e-3}, 100), {.delta = 1e-8});
  CHECK_REL(split.upper, once.upper, 1e-9);
  CHECK_FALSE(once.renyi_routes.has_value());
  // A guarantee beside a known mechanism: no worse than the guarantee of both.
  const Answer mixed =
      epsilon(Composition().add(ConcentratedDp{.rho = 0.1}).add(Gaussian{.sigma = 5}, 3), {.delta = 1e-8});
  CHECK(mixed.lower > once.lower);
  REQUIRE(mixed.renyi_routes.has_value());
}

/// Where Gaussians are mixed with guarantees, the guarantee of both is one of (rho + sum mu^2 / 2)-zCDP: the exact
/// Gaussians converted along with it.
TEST_CASE("mechanisms.renyi_guarantees.ordinary_mechanisms_are_added_to_them") {
  const double rho = 0.05, sigma = 5;
  for (const int count : {1, 20}) {
    const Composition mixed = Composition().add(ConcentratedDp{.rho = rho}, 10).add(Gaussian{.sigma = sigma}, count);
    const Answer got = epsilon(mixed, {.delta = 1e-8});
    const Answer all =
        epsilon(Composition().add(ConcentratedDp{.rho = 10 * rho + count / (2 * sigma * sigma)}), {.delta = 1e-8});
    REQUIRE(got.renyi_routes.has_value());
    CHECK(got.upper <= all.upper * (1 + 1e-9));
    CHECK(got.upper <= got.renyi_routes->converted_first.upper);
    // and is at least what the Gaussians of that rho have, which are a mechanism with this guarantee
    CHECK(got.upper >= epsilon(Composition().add(Gaussian{.sigma = 1 / std::sqrt(20 * rho + count / (sigma * sigma))}),
                               {.delta = 1e-8})
                           .lower);
  }
}

TEST_CASE("mechanisms.renyi_guarantees.bounded and sampled mechanisms are added to them") {
  // Ten guarantees of a thousandth each beside one mechanism: adding all up first is better than converting each.
  for (const Mechanism& ordinary :
       {Mechanism(Laplace{.scale = 20}), Mechanism(RandomizedResponse{.p = 0.52}),
        poisson_sampled(Gaussian{.sigma = 1}, 0.01), poisson_sampled(Laplace{.scale = 2}, 0.05),
        Mechanism(DiscreteGaussian{.sigma = 20})}) {
    CAPTURE(ordinary.text());
    const Composition mixed = Composition().add(ConcentratedDp{.rho = 0.01}).add(ordinary, 200);
    const Answer got = epsilon(mixed, {.delta = 1e-8});
    REQUIRE(got.renyi_routes.has_value());
    // No Gaussian of this rho beside it, which has the guarantee, is worse.
    const Composition least = Composition().add(Gaussian{.sigma = 1 / std::sqrt(0.02)}).add(ordinary, 200);
    CHECK(got.renyi_routes->added_first.upper >= epsilon(least, {.delta = 1e-8}).lower);
    CHECK(got.renyi_routes->converted_first.upper >= epsilon(least, {.delta = 1e-8}).lower);
    CHECK(got.renyi_routes->added_first.upper < 1.5 * epsilon(least, {.delta = 1e-8}).upper);
  }
  // Infinite losses have no finite divergence: they stay as they are.
  const Answer alone =
      epsilon(Composition().add(ConcentratedDp{.rho = 0.01}).add(ApproximateDp{.epsilon = 0.1, .delta = 1e-12}, 3),
              {.delta = 1e-8});
  CHECK_FALSE(alone.renyi_routes.has_value());
}

TEST_CASE("mechanisms.guarantees.refuse") {
  const double nan = std::nan("");
  for (const double bad : {-1.0, nan, infinity}) {
    CHECK_THROWS_AS(Mechanism(DpPoints{.epsilons = {bad}, .deltas = {0.1}}), DomainError);
    CHECK_THROWS_AS(Mechanism(DpPoints{.epsilons = {1}, .deltas = {bad}}), DomainError);
    CHECK_THROWS_AS(Mechanism(ConcentratedDp{.rho = bad}), DomainError);
    CHECK_THROWS_AS(Mechanism(ConcentratedDp{.rho = 1, .xi = bad}), DomainError);
    CHECK_THROWS_AS(Mechanism(TruncatedConcentratedDp{.rho = 1, .omega = bad}), DomainError);
    CHECK_THROWS_AS(Mechanism(RenyiDp{.orders = {bad}, .epsilons = {1}}), DomainError);
    CHECK_THROWS_AS(Mechanism(RenyiDp{.orders = {2}, .epsilons = {bad}}), DomainError);
    CHECK_THROWS_AS(Mechanism(TradeOffPoints{.alphas = {0, bad}, .betas = {1, 0}}), DomainError);
    CHECK_THROWS_AS(Mechanism(TradeOffPoints{.alphas = {0, 1}, .betas = {bad, 0}}), DomainError);
  }
  CHECK_THROWS_AS(Mechanism(DpPoints{}), DomainError);
  CHECK_THROWS_AS(Mechanism(DpPoints{.epsilons = {1, 2}, .deltas = {0.1}}), DomainError);
  CHECK_THROWS_AS(Mechanism(RenyiDp{.orders = {4, 2}, .epsilons = {1, 1}}), DomainError);
  CHECK_THROWS_AS(Mechanism(TradeOffPoints{.alphas = {0, 0.5, 1}, .betas = {1, 0.75, 0}}), DomainError);
  CHECK_THROWS_AS(Mechanism(TradeOffPoints{.alphas = {0, 0.5, 1}, .betas = {0.5, 0.25, 0.125}}), DomainError);
}

}  // namespace
}  // namespace pld::test
