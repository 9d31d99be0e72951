#include "pld/mechanisms/selection.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "pld/account/privacy_profile.hpp"
#include "pld/account/query.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/mass_table.hpp"
#include "pld/readout/concentrated.hpp"
#include "pld/readout/divergence.hpp"
#include "pld/readout/gaussian_comparison.hpp"
#include "pld/readout/trade_off.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "pld/sampling/random_allocation.hpp"
#include "pld/sampling/shuffled.hpp"
#include "pld/sampling/without_replacement.hpp"
#include "support/checks.hpp"

namespace pld::test {
namespace {

/// Permute-and-flip (McKenna, Sheldon 2020, algorithm 1) by its own words: candidates in a random order, each accepted
/// with probability weight / largest weight; all orders are counted.
std::vector<double> permute_and_flip(const std::vector<double>& exponents) {
  const double top = *std::max_element(exponents.begin(), exponents.end());
  std::vector<std::size_t> order(exponents.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::vector<double> masses(exponents.size(), 0);
  double orders = 0;
  do {
    double still = 1;
    for (const std::size_t i : order) {
      const double flip = std::exp(exponents[i] - top);
      masses[i] += still * flip;
      still *= 1 - flip;
    }
    ++orders;
  } while (std::next_permutation(order.begin(), order.end()));
  for (double& mass : masses) mass /= orders;
  return masses;
}

/// The largest of counts with Laplace noise of scale 1, by quadrature over the winner's value.
std::vector<double> noisy_max(const std::vector<double>& counts) {
  const auto cdf = [](double x) { return x < 0 ? std::exp(x) / 2 : 1 - std::exp(-x) / 2; };
  std::vector<double> kinks = counts, masses;
  kinks.push_back(-60), kinks.push_back(60);
  std::sort(kinks.begin(), kinks.end());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto wins = [&](double x) {
      double density = std::exp(-std::fabs(x - counts[i])) / 2;
      for (std::size_t j = 0; j < counts.size(); ++j)
        if (j != i) density *= cdf(x - counts[j]);
      return density;
    };
    double mass = 0;
    for (std::size_t k = 1; k < kinks.size(); ++k)
      mass += boost::math::quadrature::gauss_kronrod<double, 61>::integrate(wins, kinks[k - 1], kinks[k], 8, 1e-13);
    masses.push_back(mass);
  }
  return masses;
}

double hockey_stick(const std::vector<double>& p, const std::vector<double>& q, double epsilon) {
  double delta = 0;
  for (std::size_t i = 0; i < p.size(); ++i) delta += std::max(0.0, p[i] - std::exp(epsilon) * q[i]);
  return delta;
}

/// Random utilities and neighbours whose every utility moves by up to `step`, mostly all of it.
template <class Selection>
void check_neighbours(const Selection& select, const Mechanism& mechanism, double step, double epsilon, int rounds,
                      double close) {
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> uniform(0, 1);
  const Composition run = Composition().add(mechanism);
  std::vector<double> at, bound;
  for (const double share : {-0.8, -0.3, 0.0, 0.2, 0.5, 0.8, 0.95}) {
    at.push_back(share * epsilon);
    bound.push_back(delta(run, {.epsilon = at.back()}).upper);
  }
  std::vector<double> largest(at.size(), 0);
  for (int round = 0; round < rounds; ++round) {
    std::vector<double> one, other;
    for (std::size_t n = 2 + random() % 4; n > 0; --n) {
      one.push_back(uniform(random) * (round % 2 == 0 ? 0.5 : 4) * epsilon);
      const double by = round % 3 == 0 ? uniform(random) : 1;
      other.push_back(one.back() + (random() % 2 == 0 ? step : -step) * by);
    }
    const std::vector<double> p = select(one), q = select(other);
    for (std::size_t i = 0; i < at.size(); ++i) {
      const double found = hockey_stick(p, q, at[i]);
      CHECK(found <= bound[i] * (1 + 1e-9) + 1e-12);
      largest[i] = std::max(largest[i], found);
    }
  }
  // The bound is worth something: some neighbours come close.
  for (std::size_t i = 0; i < at.size(); ++i) CHECK(largest[i] > close * bound[i]);
}

TEST_CASE("mechanisms.selection.no_neighbours_of_permute_and_flip_exceed_laplace_noise") {
  for (const double epsilon : {0.3, 1.0, 4.0})
    check_neighbours(permute_and_flip, PermuteAndFlip{.epsilon = epsilon}, epsilon / 2, epsilon, 2000, 0.5);
}

TEST_CASE("mechanisms.selection.no_neighbours_of_report_noisy_max_exceed_laplace_noise") {
  for (const double epsilon : {0.5, 2.0})
    check_neighbours(noisy_max, ReportNoisyMax{.scale = 2, .sensitivity = epsilon}, epsilon / 2, epsilon, 150, 0.15);
}

/// With probability `rate` the first of two, else the second.
std::vector<double> mixed(double rate, const std::vector<double>& one, const std::vector<double>& other) {
  std::vector<double> masses;
  for (std::size_t i = 0; i < one.size(); ++i) masses.push_back(rate * one[i] + (1 - rate) * other[i]);
  return masses;
}

/// A single release: at every epsilon the utilities of the other records may be such that the record loses all of it.
TEST_CASE("mechanisms.selection.two_candidates_of_permute_and_flip_attain_it") {
  const double epsilon = 1.5;
  for (const Relation relation : {Relation::add_remove, Relation::replace_one, Relation::zero_out}) {
    for (const double rate : {1.0, 0.4}) {
      const Composition run = Composition(relation).add(poisson_sampled(PermuteAndFlip{.epsilon = epsilon}, rate));
      CHECK(run.is_exact());
      CHECK(!Composition(relation).add(poisson_sampled(PermuteAndFlip{.epsilon = epsilon}, rate), 2).is_exact());
      for (const double at : {0.0, 0.4, 1.2}) {
        double largest = 0;
        for (int i = 0; i <= 6000; ++i) {
          const double gap = epsilon * (-3 + i / 1000.0), by = epsilon / 2;
          const auto without = permute_and_flip({0, gap}), one = permute_and_flip({by, gap - by}),
                     opposite = permute_and_flip({-by, gap + by});
          const auto p = mixed(rate, one, without),
                     q = relation == Relation::replace_one ? mixed(rate, opposite, without) : without;
          largest = std::max({largest, hockey_stick(p, q, at), hockey_stick(q, p, at)});
        }
        const Bracket found = delta(run, {.epsilon = at});
        CHECK(largest <= found.upper * (1 + 1e-12) + 1e-15);
        CHECK(largest >= found.lower * (1 - 1e-6) - 1e-15);
      }
    }
  }
}

/// delta(epsilon) of `count` releases with two answers, of which the first one has these chances: over how often it
/// comes.
double two_answers_profile(double p, double q, int count, double epsilon) {
  double delta = 0;
  for (int often = 0; often <= count; ++often) {
    const double ways = std::lgamma(count + 1) - std::lgamma(often + 1) - std::lgamma(count - often + 1);
    const double log_p = often * std::log(p) + (count - often) * std::log1p(-p),
                 log_q = often * std::log(q) + (count - often) * std::log1p(-q);
    delta += std::exp(ways + log_p) * std::max(0.0, -std::expm1(epsilon + log_q - log_p));
  }
  return delta;
}

/// Of candidates two, from any place that their scores have before the record draws them apart: the chance that the
/// first wins is `wins(place)`.
template <class Wins>
double largest_from_any_place(const Wins& wins, double move, int count, double epsilon) {
  double largest = 0;
  for (double place = -12; place <= 12; place += 0.005) {
    const double p = wins(place), q = wins(place - move);
    if (q > 0 && p < 1) largest = std::max(largest, two_answers_profile(p, q, count, epsilon));
  }
  return largest;
}

/// Of several releases the lower end is what some neighbours have, and most of what the best two candidates have.
TEST_CASE("mechanisms.selection.several_lose_what_two_candidates_do_from_some_place") {
  const auto exponential = [](double x) { return 1 / (1 + std::exp(-x)); };
  const auto flips = [](double x) { return x < 0 ? std::exp(x) / 2 : 1 - std::exp(-x) / 2; };
  const auto noisy = [](double x) {
    const double behind = std::exp(-std::fabs(x)) * (2 + std::fabs(x)) / 4;
    return x < 0 ? behind : 1 - behind;
  };
  const auto check = [](const Mechanism& mechanism, const auto& wins, double move) {
    for (const int count : {2, 10, 40}) {
      const Composition run = Composition().add(mechanism, count);
      for (const double share : {0.3, 0.6, 0.85}) {
        const double at = share * move * count;
        const DeltaAnswer found = delta(run, {.epsilon = at});
        const double largest = largest_from_any_place(wins, move, count, at);
        CHECK(found.lower <= largest * (1 + 1e-3));  // of places so near each other
        CHECK(found.upper >= largest * (1 - 1e-9));
        if (!(largest > 1e-12)) continue;
        const Bracket epsilons = epsilon(run, {.delta = largest});
        CHECK(epsilons.lower <= at * (1 + 1e-6));
        CHECK(epsilons.lower >= 0.85 * at);
        CHECK(epsilons.upper >= at * (1 - 1e-9));
      }
    }
  };
  for (const double move : {0.1, 0.3, 1.0, 3.0}) {
    check(ExponentialMechanism{.epsilon = move}, exponential, move);
    check(PermuteAndFlip{.epsilon = move}, flips, move);
    check(ReportNoisyMax{.scale = 2 / move}, noisy, move);
  }
}

/// Which neighbours lose most depends on the question: every reading has the largest lower end.
TEST_CASE("mechanisms.selection.all_readings_have_the_lower_ends_of_several_neighbours") {
  const Composition run = Composition().add(ExponentialMechanism{.epsilon = 1}, 10).add(Gaussian{.sigma = 20}, 3);
  const PrivacyProfile profile(run);
  std::vector<double> epsilons, deltas;
  for (int i = 0; i <= 20; ++i) epsilons.push_back(0.45 * i), deltas.push_back(std::pow(10.0, -1 - 0.5 * i));
  const std::vector<Bracket> of_list = profile.log_delta(epsilons), of_deltas = profile.epsilon(deltas);
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    const DeltaAnswer alone = delta(run, {.epsilon = epsilons[i], .tolerance = profile.options().tolerance});
    CHECK(std::fabs(of_list[i].lower - alone.log_delta.lower) < 2e-3);
    CHECK_REL(of_deltas[i].lower, epsilon(run, {.delta = deltas[i]}).lower, 2e-3);
  }
  const Composition ten = Composition().add(ExponentialMechanism{.epsilon = 1}, 10);
  CHECK(max_divergence(ten).lower >= 9.49);
  CHECK(PrivacyProfile(ten).largest_loss().lower >= 9.49);
  // The first candidate's losses t in all of ten releases, t = 0.95: e^10t of Q's mass is P's.
  const double p = -std::expm1(-0.05) / -std::expm1(-1.0);
  const OperatingPoint rare = TradeOff(PrivacyProfile(ten)).at(std::pow(p * std::exp(-0.95), 10));
  CHECK(rare.power.lower >= std::pow(p, 10) * (1 - 1e-6));
  CHECK(rare.power.lower <= rare.power.upper);
  // Where alpha is large mu and rho are those of the even draw, which has the largest variance; an order of 40 is of
  // rare losses.
  const Bracket far = renyi_divergence(ten, 40);
  const auto renyi = [](double t) {
    const double one = -std::expm1(t - 1) / -std::expm1(-1.0);
    return 10 * std::log(one * std::exp(39 * t) + (1 - one) * std::exp(39 * (t - 1))) / 39;
  };
  CHECK(far.lower >= renyi(0.95) * (1 - 1e-9));
  CHECK(renyi(0.95) > renyi(0.5) * 1.5);
  CHECK(compare_with_gaussian(PrivacyProfile(ten)).highest_epsilon >= 8.6);
}

/// What candidates have on all data they need not have on samples. Of three samples pure DP is amplified, replaced
/// records being epsilon = 2 apart; a replaced record of a pass is zeroed and then another one again.
TEST_CASE("mechanisms.selection.no_lower_end_of_a_scheme_is_that_of_all_data") {
  const double amplified = 3 * std::log1p(0.1 * std::expm1(2.0));
  const auto check = [&](const Mechanism& mechanism) {
    for (const Relation relation : {Relation::replace_one, Relation::zero_out}) {
      for (const Mechanism& sampled : {poisson_sampled(mechanism, 0.1), without_replacement(mechanism, 0.1)})
        CHECK(epsilon(Composition(relation).add(sampled, 3), {.delta = 1e-6}).lower <= amplified);
    }
    for (const Mechanism& pass : {randomly_allocated(mechanism, 10), shuffled(mechanism, 10)}) {
      const double step = epsilon(Composition(Relation::zero_out).add(pass, 3), {.delta = 4e-8}).upper;
      REQUIRE(4e-8 * (1 + std::exp(step)) <= 1e-6);
      CHECK(epsilon(Composition(Relation::replace_one).add(pass, 3), {.delta = 1e-6}).lower <= 2 * step);
    }
  };
  check(ExponentialMechanism{.epsilon = 1});
  check(PermuteAndFlip{.epsilon = 1});
  check(ReportNoisyMax{.scale = 2});
}

TEST_CASE("mechanisms.selection.many_exponential_mechanisms_by_their_own_divergences") {
  const Composition many = Composition().add(ExponentialMechanism{.epsilon = 0.1}, 1000);
  // 8.846: epsilon^2 / 8 zCDP each (Cesar, Rogers 2021), converted by corollary 13 of Canonne, Kamath, Steinke 2020.
  CHECK(epsilon(many, {.delta = 1e-6}).upper < 8.846);
  const Bracket rho = zcdp_rho(many);
  CHECK(rho.upper <= 1.25);
  CHECK(rho.upper > 1.2498);
  // No more than what two-point pairs of one place t have, 1000 times the same: a lower bound.
  double largest = 0;
  for (const double place : {0.45, 0.5, 0.55}) {
    const double t = 0.1 * place, up = (std::exp(0.1) - std::exp(t)) / std::expm1(0.1);
    const Composition same =
        Composition().add(MassTable{.p = {up, 1 - up}, .q = {up * std::exp(-t), 1 - up * std::exp(-t)}}, 1000);
    largest = std::max(largest, epsilon(same, {.delta = 1e-6}).lower);
  }
  CHECK(epsilon(many, {.delta = 1e-6}).upper >= largest);
  CHECK(epsilon(many, {.delta = 1e-6}).upper < 2 * largest);
}

}  // namespace
}  // namespace pld::test
