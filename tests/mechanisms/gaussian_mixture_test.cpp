#include "pld/mechanisms/gaussian_mixture.hpp"

#include <algorithm>
#include <cmath>

#include "pld/account/privacy_profile.hpp"
#include "pld/account/query.hpp"
#include "pld/core/contradictions.hpp"
#include "pld/core/errors.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/mechanism.hpp"
#include "pld/readout/concentrated.hpp"
#include "pld/sampling/poisson_sampled.hpp"
#include "pld/sampling/random_allocation.hpp"
#include "support/location_law.hpp"
#include "support/pair_checks.hpp"

namespace pld::test {
namespace {

std::vector<GaussianMixture> cases() {
  return {{.sigma = 1, .shifts = {0, 1, 2}, .weights = {0.25, 0.5, 0.25}},
          {.sigma = 2, .shifts = {1, 3}, .weights = {0.5, 0.5}},
          {.sigma = 0.5, .shifts = {0, 2.5}, .weights = {0.984375, 0.015625}},
          {.sigma = 8, .shifts = {0.5}, .weights = {1}}};
}

TEST_CASE("mechanisms.gaussian_mixture.matches_50_digits") {
  Worst worst;
  for (const GaussianMixture& m : cases()) {
    CAPTURE(describe(m));
    const Law remove_law = mixture_law(m);
    for (const Direction direction : {Direction::remove, Direction::add}) {
      const PairPtr pair = dominating_pair(m, direction);
      const Law law = direction == Direction::remove ? remove_law : swapped(remove_law);
      const double sign = direction == Direction::remove ? 1 : -1;
      const double low = std::fmax(-3, 0.9 * pair->range().lowest), high = std::fmin(3, 0.9 * pair->range().highest);
      for (const auto& [from, to] : {std::pair{low, high}, {0.1 * sign * high, 0.1 * sign * high + 1e-7}}) {
        const Worst cells = check_density(*pair, law, even_edges(from, to, 9));
        const Worst tails = check_tails(*pair, law, even_edges(from, to, 4));
        worst = {std::fmax(worst.mass, std::fmax(cells.mass, tails.mass)),
                 std::fmax(worst.loss, std::fmax(cells.loss, tails.loss))};
      }
      check_total(*pair, pair->outline(), 1e-12);
    }
  }
  MESSAGE("worst mass ", worst.mass, ", loss ", worst.loss, " of what is allowed");
}

TEST_CASE("mechanisms.gaussian_mixture.delta_of_one_release_down_to_1e-30") {
  double least = 1;
  for (const GaussianMixture& m : cases()) {
    CAPTURE(describe(m));
    Composition run;
    run.add(m);
    const Law remove_law = mixture_law(m);
    for (const double epsilon : {-0.3, 0.0, 0.7, 5.0, 20.0, 60.0}) {
      CAPTURE(epsilon);
      for (const Direction direction : {Direction::remove, Direction::add}) {
        const Masses above =
            (direction == Direction::remove ? remove_law : swapped(remove_law))(epsilon, real_infinity());
        const double exact = static_cast<double>(above.p - exp(Real(epsilon)) * above.q);
        const auto choice = direction == Direction::remove ? DirectionChoice::remove : DirectionChoice::add;
        if (exact < 1e-250) continue;
        least = std::min(least, exact);
        const DeltaAnswer closed = delta(run, {.epsilon = epsilon, .direction = choice});
        CHECK_INSIDE(closed, exact);
        CHECK(closed.width() <= 1e-9 * exact);
        CHECK_INSIDE(delta(run, {.epsilon = epsilon, .direction = choice, .engine = Engine::lattice}), exact);
      }
    }
  }
  CHECK(least < 1e-30);
}

// Far out a loss is a small difference of two large logarithms of masses.
TEST_CASE("mechanisms.gaussian_mixture.delta_of_one_release_far_out") {
  for (const auto& [shift, epsilon] : {std::pair{2.0, 5000.0}, {2.0, 41000.0}, {0.0625, 600.0}, {50.0, 1e6}}) {
    CAPTURE(shift);
    Composition run;
    run.add(GaussianMixture{.sigma = 1, .shifts = {shift}, .weights = {1}});
    const Masses above = gaussian_law(1, shift)(epsilon, real_infinity());
    const auto exact = static_cast<double>(log(Real(above.p - exp(Real(epsilon)) * above.q)));
    for (const auto choice : {DirectionChoice::remove, DirectionChoice::add}) {
      const Bracket found = delta(run, {.epsilon = epsilon, .direction = choice}).log_delta;
      CHECK_INSIDE(found, exact);
      CHECK(found.width() <= 1e-8 * -exact);
    }
  }
}

// Near their own centre shifted outcomes have little of Q and large losses, whose sums with it have lost their digits.
TEST_CASE("mechanisms.gaussian_mixture.masses_of_far_shifts_match_50_digits") {
  for (const GaussianMixture& m : {GaussianMixture{.sigma = 1, .shifts = {100}, .weights = {1}},
                                   GaussianMixture{.sigma = 1, .shifts = {0, 100}, .weights = {0.5, 0.5}}}) {
    CAPTURE(describe(m));
    const PairPtr pair = dominating_pair(m, Direction::remove);
    check_density(*pair, mixture_law(m), even_edges(4800, 5200, 41));
    std::vector<LossCell> cells;
    pair->cells(even_edges(-10000, 20000, 20001), cells);
    check_total(*pair, cells, 2e-14);
  }
}

// Of P and Q that are as good as disjoint delta is 1 to e^-125000.
TEST_CASE("mechanisms.gaussian_mixture.no_profile_of_far_shifts_excludes_1") {
  Composition run;
  run.add(GaussianMixture{.sigma = 1, .shifts = {100}, .weights = {1}}, 100);
  const PrivacyProfile profile(run, {.tolerance = 1e-3});
  for (const double epsilon : {-0.001, 0.001, 1.0}) {
    CAPTURE(epsilon);
    for (const auto choice : {DirectionChoice::remove, DirectionChoice::add}) {
      const ProfileBracket found = profile.log_profile(epsilon, choice);
      CHECK(found.log_delta.upper >= -1e-300);
      CHECK(found.log_complement.lower <= -1e5);
    }
  }
}

// The lowest loss was once a digit below what losses come to far out: those were then known to 1e273.
TEST_CASE("mechanisms.gaussian_mixture.several_components_at_zero_are_one") {
  const GaussianMixture several{
      .sigma = 1.1131389181847353,
      .shifts = {0, 0, 0, 61},
      .weights = {0.18000613451026048, 0.27603584381790314, 0.3091220317587988, 0.23483598991303753}},
      one{.sigma = several.sigma, .shifts = {0, 61}, .weights = {1 - several.weights[3], several.weights[3]}};
  const auto before = contradictions();
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const PairPtr pair = dominating_pair(several, direction);
    CHECK(pair->loss_error({std::max(pair->range().lowest, -1e4), std::min(pair->range().highest, 1e4)}) < 1e-8);
  }
  for (const double delta : {0.2, 1e-5}) {
    const Answer got = epsilon(Composition().add(several), {.delta = delta}),
                 want = epsilon(Composition().add(one), {.delta = delta});
    CHECK(got.lower <= want.upper);
    CHECK(want.lower <= got.upper);
    CHECK(got.converged);
  }
  const Bracket rho = zcdp_rho(Composition().add(randomly_allocated(several, 10)), DirectionChoice::worst, 1e-3);
  CHECK(rho.lower > 1);
  CHECK(contradictions() == before);
}

TEST_CASE("mechanisms.gaussian_mixture.one_component_and_sampling_are_special_cases") {
  Composition mixture, gaussian, sampled, two;
  mixture.add(GaussianMixture{.sigma = 8, .shifts = {0.5}, .weights = {1}}, 50);
  gaussian.add(Gaussian{.sigma = 16}, 50);
  sampled.add(poisson_sampled(Gaussian{.sigma = 0.8}, 0.125), 100);
  two.add(GaussianMixture{.sigma = 0.8, .shifts = {0, 1}, .weights = {0.875, 0.125}}, 100);
  for (const double delta : {1e-3, 1e-9, 1e-30}) {
    for (const auto& [a, b] : {std::pair{mixture, gaussian}, {two, sampled}}) {
      for (const auto choice : {DirectionChoice::remove, DirectionChoice::add}) {
        const Answer got = epsilon(a, {.delta = delta, .direction = choice});
        const Answer want = epsilon(b, {.delta = delta, .direction = choice});
        CHECK(got.lower <= want.upper);
        CHECK(want.lower <= got.upper);
        CHECK(got.converged);
      }
    }
  }
}

// google/differential-privacy, python/dp_accounting/.../pld_privacy_accountant_test.py,
// test_mixture_of_gaussians_basic: delta(17.193115) is 1e-6 to 1e-12, epsilon(1e-6) 17.193115 to 1e-6.
TEST_CASE("mechanisms.gaussian_mixture.published_composition") {
  Composition run;
  run.add(GaussianMixture{.sigma = 1, .shifts = {0, 1, 2}, .weights = {0.2, 0.6, 0.2}}, 3);
  run.add(GaussianMixture{.sigma = 2, .shifts = {0, 2, 3}, .weights = {0.33, 0.34, 0.33}}, 2);
  const Answer answer = epsilon(run, {.delta = 1e-6, .tolerance = 1e-7});
  MESSAGE("epsilon ", digits(answer.lower), " .. ", digits(answer.upper));
  CHECK(std::fabs(answer.estimate - 17.193115) <= 1e-6 + answer.width());
  CHECK(answer.width() < 1e-5);
}

TEST_CASE("mechanisms.gaussian_mixture.refuses") {
  for (const auto& [shifts, weights] :
       std::vector<std::pair<std::vector<double>, std::vector<double>>>{{{}, {}},
                                                                        {{1}, {0.9}},
                                                                        {{1, 2}, {1}},
                                                                        {{-1}, {1}},
                                                                        {{1, 2}, {1.5, -0.5}},
                                                                        {{std::nan("")}, {1}},
                                                                        {{1}, {std::nan("")}}})
    CHECK_THROWS_AS(Mechanism(GaussianMixture{.sigma = 1, .shifts = shifts, .weights = weights}), DomainError);
  CHECK_THROWS_AS(Mechanism(GaussianMixture{.sigma = 0, .shifts = {1}, .weights = {1}}), DomainError);
}

}  // namespace
}  // namespace pld::test
