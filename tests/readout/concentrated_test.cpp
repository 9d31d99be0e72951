#include "pld/readout/concentrated.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <random>

#include "numeric/exact_fraction.hpp"
#include "pairs/least_renyi.hpp"
#include "pairs/pair_divergence.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/readout_reference.hpp"

namespace {

using namespace pld;
using test::as_double;
using test::Real;

Composition one(const Mechanism& mechanism, std::int64_t count = 1) { return Composition().add(mechanism, count); }

/// D_alpha of one randomized response, in long double.
double response_renyi(double p, double alpha) {
  const long double a = alpha, x = p, t = a - 1;
  if (t < 1e-6L) return static_cast<double>((2 * x - 1) * std::log(x / (1 - x)));
  return static_cast<double>(
      std::log(x * std::exp(t * std::log(x / (1 - x))) + (1 - x) * std::exp(-t * std::log(x / (1 - x)))) / t);
}

}  // namespace

TEST_CASE("readout.concentrated.gaussian_is_half_mu_squared") {
  for (const double mu : {0.1, 3.0}) {
    const Bracket rho = zcdp_rho(one(Gaussian{.sigma = 2, .sensitivity = mu}, 4));
    CHECK(std::nextafter(rho.lower, INFINITY) >= rho.upper);
    CHECK_ULP(rho.upper, mu * mu / 2, 2);
    CHECK(zcdp_xi(one(Gaussian{.sigma = 1, .sensitivity = mu}), mu * mu / 2 * 1.000001).upper <= 1e-3 * mu * mu);
  }
}

TEST_CASE("readout.concentrated.a_gaussian_at_its_own_rho") {
  for (const double sigma : {1.0, 0.8, 3.7}) {
    const Composition run = one(Gaussian{.sigma = sigma}, 7).add(Gaussian{.sigma = 2 * sigma}, 3);
    const double rho = 7.75 / (2 * sigma * sigma);
    CHECK_REL(zcdp_rho(run).lower, rho, 1e-14);
    CHECK_REL(zcdp_rho(run).upper, rho, 1e-14);
    // No double is it but where both ends are.
    const auto [below, estimate, above] = zcdp_rho(run);
    const double before = std::nextafter(above, 0);
    CHECK(below >= before);
    CHECK(zcdp_xi(run, above).upper == 0);
    CHECK(zcdp_xi(run, before).lower == INFINITY);
    CHECK(tcdp_omega(run, above).lower == INFINITY);
    CHECK(tcdp_omega(run, before).upper == 1);
  }
  // Sampled Gaussians come up to no more than that at large orders.
  const Composition sampled = one(poisson_sampled(Gaussian{.sigma = 0.8}, 0.2), 3);
  CHECK(zcdp_xi(sampled, zcdp_rho(one(Gaussian{.sigma = 0.8}, 3)).upper).upper < INFINITY);
}

// sensitivity^2 / (2 sigma^2) as fractions of the doubles, times the counts.
TEST_CASE("readout.concentrated.rho_of_gaussians_is_rounded_outward") {
  std::mt19937_64 random(1);
  const auto any = [&](double least, double most) { return std::uniform_real_distribution(least, most)(random); };
  for (int i = 0; i < 300; ++i) {
    Composition run(Neighbours(i % 3 == 0 ? Relation::replace_one : Relation::add_remove, 1 + i % 4));
    const int moved = (i % 3 == 0 ? 2 : 1) * (1 + i % 4);
    Fraction exact = 0;
    for (int kind = 0; kind <= i % 5; ++kind) {
      const Gaussian noise{.sigma = any(0.1, 10), .sensitivity = any(0.001, 2)};
      const auto count = static_cast<std::int64_t>(any(1, 1e6));
      run.add(noise, count);
      const Fraction mu = moved * fraction_of(noise.sensitivity) / fraction_of(noise.sigma);
      exact += count * mu * mu / 2;
    }
    const Bracket rho = zcdp_rho(run);
    CAPTURE(i);
    CHECK(fraction_of(rho.lower) <= exact);
    CHECK(fraction_of(rho.upper) >= exact);
    CHECK(rho.width() <= 8 * unit_roundoff * rho.upper);
  }
  const double sigma = 0.30000000000000004;  // whose rho is next to a middle between two doubles
  for (const Composition& run : {one(Gaussian{sigma}), one(poisson_sampled(Gaussian{sigma}, 0.5))})
    CHECK(fraction_of(zcdp_rho(run).upper) >= 1 / (2 * fraction_of(sigma) * fraction_of(sigma)));
  for (const double huge : {1e-300, 1e308}) {
    const Bracket rho = zcdp_rho(one(Gaussian{.sigma = huge, .sensitivity = huge}));
    CHECK(rho.lower == 0.5);
    CHECK(rho.upper == 0.5);
  }
}

TEST_CASE("readout.concentrated.rho_of_many_kinds_is_as_narrow") {
  Composition run;
  Fraction exact = 0;
  for (int i = 1; i <= 500; ++i) {
    const double sigma = 1 + 0.01 * i;
    run.add(Gaussian{sigma}, i);
    exact += i / (2 * fraction_of(sigma) * fraction_of(sigma));
  }
  const Bracket rho = zcdp_rho(run);
  CHECK(rho.lower == double_below(exact));
  CHECK(rho.upper == double_above(exact));
}

TEST_CASE("readout.concentrated.rho_of_a_guarantee_is_the_double_it_is_given_as") {
  CHECK(zcdp_rho(one(ConcentratedDp{.rho = 0.1}, 3)).upper == double_above(3 * fraction_of(0.1)));
  const Composition group = Composition(Neighbours(Relation::add_remove, 3)).add(ConcentratedDp{.rho = 0.1});
  CHECK(zcdp_rho(group).upper == double_above(9 * fraction_of(0.1)));
}

// Of next to no noise the law from below keeps one outcome, of hardly any of Q's mass: a range of one loss tells
// nothing. Being told the steps, of which there are two, leaves rho 1 / sigma^2.
TEST_CASE("readout.concentrated.laws_from_below_contradict_nothing") {
  const std::int64_t before = contradictions();
  const Bracket rho = zcdp_rho(one(randomly_allocated_to_several(Gaussian{.sigma = 0.01}, 3, 2)));
  CHECK(contradictions() == before);
  CHECK(rho.lower > 1);
  CHECK_INSIDE(rho, 1e4);
  CHECK(zcdp_rho(one(randomly_allocated_to_several(RandomizedResponse{.p = 1}, 3, 2))).lower > 1);
  CHECK(contradictions() == before);
}

TEST_CASE("readout.concentrated.what_loses_nothing_has_none") {
  const Mechanism unmoved = GaussianMixture{.sigma = 1, .shifts = {0}, .weights = {1}},
                  sampled = poisson_sampled(RandomizedResponse{.p = 0.5}, 0.3);
  for (const Mechanism& nothing :
       std::initializer_list<Mechanism>{ApproximateDp{.epsilon = 0}, RandomizedResponse{.p = 0.5},
                                        RandomizedResponse{.p = 0.25, .k = 4}, sampled, unmoved}) {
    CAPTURE(nothing.text());
    const Composition many = one(nothing, 7);
    CHECK(zcdp_rho(many).upper == 0);
    CHECK(zcdp_xi(many, 0).upper == 0);
    CHECK(max_divergence(many).upper == 0);
    CHECK(delta(many, {.epsilon = 0}).upper == 0);
    CHECK(epsilon(one(Laplace{.scale = 10}, 10).add(nothing, 7), {.delta = 0}).upper == 1);
  }
}

TEST_CASE("readout.concentrated.discrete_gaussian_has_the_continuous_ones_rho") {
  const Bracket rho = zcdp_rho(one(DiscreteGaussian{.sigma = 3}, 4));
  CHECK_INSIDE(rho, 4 / 18.0);
  CHECK(rho.width() <= 1e-3 * rho.upper);
}

TEST_CASE("readout.concentrated.randomized_responses_equal_a_fine_scan_of_orders") {
  for (const double p : {0.52, 0.75, 0.99}) {
    const Composition run = one(RandomizedResponse{.p = p}, 3);
    double rho = 0, xi = 0;
    const double slope = 3 * response_renyi(p, 1.5) / 4;
    for (double u = -14; u < 6; u += 1e-3) {
      const double alpha = 1 + std::exp(u), d = 3 * response_renyi(p, alpha);
      rho = std::max(rho, d / alpha);
      xi = std::max(xi, d - slope * alpha);
    }
    CAPTURE(p);
    const Bracket found = zcdp_rho(run), offset = zcdp_xi(run, slope);
    CHECK(found.lower <= rho * (1 + 1e-6));
    CHECK(found.upper >= rho * (1 - 1e-6));
    CHECK(found.width() <= 2e-3 * found.upper);
    CHECK(offset.lower <= xi * (1 + 1e-6));
    CHECK(offset.upper >= xi * (1 - 1e-6));
    CHECK(offset.width() <= 2e-3 * offset.upper);
  }
}

// D_alpha / alpha of a rare but loud release rises before it falls: between orders far apart the supremum is that of
// the chord, above what either end has.
TEST_CASE("readout.concentrated.suprema_between_orders") {
  for (const double q : {0.3, 0.1, 0.03, 0.01, 0.003, 0.001}) {
    const long double p = 0.99L, with[2] = {(1 - q) * (1 - p) + q * p, (1 - q) * p + q * (1 - p)},
                      without[2] = {1 - p, p};
    double rho = 0, xi = 0;
    const double slope = 0.01;
    for (double u = -5; u < 6; u += 1e-3) {
      const long double t = std::exp(static_cast<long double>(u));
      long double sum = 0;
      for (int i = 0; i < 2; ++i) sum += with[i] * std::pow(with[i] / without[i], t);
      const auto d = static_cast<double>(std::log(sum) / t);
      rho = std::max(rho, d / static_cast<double>(1 + t));
      xi = std::max(xi, d - slope * static_cast<double>(1 + t));
    }
    const Composition run = one(poisson_sampled(RandomizedResponse{.p = static_cast<double>(p)}, q));
    CAPTURE(q);
    for (const double tolerance : {0.5, 0.1, 1e-3}) {
      const Bracket found = zcdp_rho(run, DirectionChoice::remove, tolerance),
                    offset = zcdp_xi(run, slope, DirectionChoice::remove, tolerance);
      CHECK(found.upper >= rho * (1 - 1e-6));
      CHECK(found.lower <= rho * (1 + 1e-6));
      CHECK(offset.upper >= xi * (1 - 1e-6));
      CHECK(offset.lower <= xi * (1 + 1e-6));
    }
  }
}

TEST_CASE("readout.concentrated.laplace_is_between_kl_and_pure_dp") {
  const Composition run = one(Laplace{.scale = 1});
  const Bracket rho = zcdp_rho(run);
  // D_1 at least; epsilon^2 / 2 at most (Bun, Steinke 2016, proposition 1.4).
  CHECK(rho.upper >= as_double(exp(Real(-1))));
  CHECK(rho.lower <= 0.5);
}

// Large orders see the losses of the whole Gaussian, of twice the sensitivity; sampling never adds to a divergence.
TEST_CASE("readout.concentrated.fixed_size_samples_tend_to_the_unsampled_rho") {
  Composition run(Relation::replace_one);
  run.add(without_replacement(Gaussian{.sigma = 2}, 0.3), 300);
  const double unsampled = 300 * 0.5;
  const Bracket rho = zcdp_rho(run.of_pairs());
  CHECK_INSIDE(rho, unsampled);
  CHECK(rho.lower >= 0.9 * unsampled);
  CHECK(rho.upper <= unsampled * (1 + 1e-12));
  for (const double order : {1.5, 8.0, 500.0})
    CHECK(renyi_divergence(run.of_pairs(), order).lower <= order * unsampled);
}

// Large orders see a record that takes part in the one data set and not in the other: once the sensitivity.
// k records are k steps, each of rho epsilon + e^-epsilon - 1 of Laplace noise, and together of k^2 times that.
TEST_CASE("readout.concentrated.groups_of_allocated_records_go_record_by_record") {
  Composition group(Neighbours(Relation::add_remove, 3));
  group.add(randomly_allocated(Laplace{.scale = 1}, 10));
  CHECK_REL(zcdp_rho(group).upper, 9 * std::exp(-1), 1e-9);
}

TEST_CASE("readout.concentrated.replaced_poisson_samples_tend_to_the_rho_of_a_removal") {
  Composition run(Relation::replace_one);
  run.add(poisson_sampled(Gaussian{.sigma = 2}, 0.3), 300);
  const double removal = 300 * 0.125, unsampled = 300 * 0.5;
  const Bracket rho = zcdp_rho(run);
  CHECK(rho.lower >= 0.9 * removal);
  CHECK(rho.upper <= unsampled * (1 + 1e-12));
  // The mixtures' divergence is at most that of the removal and -log(1 - q) a release.
  for (const double order : {8.0, 500.0})
    CHECK(renyi_divergence(run, order).lower <= order * removal - 300 * std::log1p(-0.3));
}

// Gaussian noise moved by m has P >= w P' for a part of weight w, and D_a / a of that part tends to m^2 / 2.
TEST_CASE("readout.concentrated.samples_of_gaussians_tend_to_the_rho_of_their_largest_shift") {
  const auto narrow_at = [](const Composition& run, double rho) {
    CAPTURE(run.releases().front().mechanism.text());
    const Bracket found = zcdp_rho(run);
    CHECK_INSIDE(found, rho);
    CHECK(found.width() <= 1e-3 * rho);
  };
  const auto replaced = [](const Mechanism& mechanism, int group = 1) {
    return Composition(Neighbours(Relation::replace_one, group)).add(mechanism);
  };
  narrow_at(replaced(without_replacement(Gaussian{.sigma = 16}, 0.01)), 1. / 128);
  narrow_at(replaced(without_replacement(DiscreteGaussian{.sigma = 16}, 0.01)), 1. / 128);
  narrow_at(replaced(poisson_sampled(Gaussian{.sigma = 2}, 0.125)), 1. / 8);
  narrow_at(replaced(poisson_sampled(DiscreteGaussian{.sigma = 2}, 0.125)), 1. / 8);
  narrow_at(replaced(poisson_sampled(Gaussian{.sigma = 2}, 0.125), 3), 9. / 8);
  narrow_at(replaced(poisson_sampled(DiscreteGaussian{.sigma = 2}, 0.125), 3), 9. / 8);
  narrow_at(one(poisson_sampled(Gaussian{.sigma = 16}, 0x1p-20)), 1. / 512);
  narrow_at(one(poisson_sampled(GaussianMixture{.sigma = 2, .shifts = {0, 1, 2}, .weights = {.5, .25, .25}}, 0.125)),
            1. / 2);
}

// What costs nothing lies on its side of what cells tell, and next to it at large orders.
TEST_CASE("readout.concentrated.bounds_of_large_orders_hold_at_all") {
  for (const Mechanism& mechanism : std::initializer_list<Mechanism>{
           poisson_sampled(Gaussian{.sigma = 1}, 0.125), poisson_sampled(Gaussian{.sigma = 1}, 0.875),
           poisson_sampled(DiscreteGaussian{.sigma = 1.5}, 0.25), without_replacement(Gaussian{.sigma = 3}, 0.25)}) {
    for (const Neighbours& neighbours : {Neighbours(Relation::replace_one), Neighbours(Relation::add_remove, 2)}) {
      if (neighbours.group > 1 && mechanism.text().find("wor") != std::string::npos) continue;
      const Law law = mechanism.under(neighbours).law();
      CAPTURE(law.text);
      for (const double order : {1.001, 1.25, 2.0, 4.5, 16.0}) {
        CAPTURE(order);
        const Bracket cells = PairDivergence(*law.remove).renyi(order, 1e-6);
        CHECK(cells.width() <= 1e-5 * cells.upper);
        CHECK(least_renyi(*law.remove, order) <= cells.upper);
        CHECK(most_renyi(*law.remove, order) >= cells.lower);
        CHECK(renyi_line(*law.remove).at(order) >= cells.lower);
      }
      CHECK_REL(least_renyi(*law.remove, 1e9), most_renyi(*law.remove, 1e9), 1e-7);
    }
  }
}

TEST_CASE("readout.concentrated.omega_is_where_the_divergence_crosses") {
  const Composition run = one(poisson_sampled(Gaussian{.sigma = 0.8}, 0.005), 1000);
  const double rho = 0.1;
  const Bracket omega = tcdp_omega(run, rho);
  CHECK(omega.lower > 1);
  CHECK(omega.width() <= 1e-2 * omega.upper);
  CHECK(renyi_divergence(run, omega.lower * 0.999).upper <= rho * omega.lower);
  CHECK(renyi_divergence(run, omega.upper).lower > rho * omega.upper);
  // Beyond the reach of any order: never, and at once.
  CHECK(tcdp_omega(run, 1000).lower == INFINITY);
  CHECK(tcdp_omega(run, 0.01).upper <= 1.01);
}

// At the Gaussian's own rho what is left of D_alpha - rho alpha rises to the Laplace mechanisms' largest losses, 5
// times 4.
TEST_CASE("readout.concentrated.bounded_losses_beside_a_gaussian") {
  const Composition run = Composition().add(Gaussian{.sigma = 5}).add(Laplace{.scale = 0.25}, 5);
  const Bracket xi = zcdp_xi(run, 1.0 / 50);
  CHECK(xi.upper >= 20);
  CHECK(xi.upper <= 20.1);
  CHECK(xi.lower <= 20);
  CHECK(xi.lower >= 19);
}

TEST_CASE("readout.concentrated.infinite_losses") {
  CHECK(zcdp_rho(one(ApproximateDp{.epsilon = 0.5, .delta = 0.01})).lower == INFINITY);
  CHECK(tcdp_omega(one(ApproximateDp{.epsilon = 0.5, .delta = 0.01}), 1).lower == 1);
}

TEST_CASE("readout.concentrated.refuses") {
  CHECK_THROWS_AS((void)zcdp_xi(one(Laplace{.scale = 1}), -1), DomainError);
  CHECK_THROWS_AS((void)tcdp_omega(one(Laplace{.scale = 1}), NAN), DomainError);
  CHECK_THROWS_AS((void)zcdp_rho(one(Laplace{.scale = 1}), DirectionChoice::worst, 0), DomainError);
}
