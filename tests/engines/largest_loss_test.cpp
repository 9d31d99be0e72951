// delta at and just below the largest loss of a composition, against the exact masses in 50 digits.
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace {

using Real = boost::multiprecision::cpp_bin_float_50;

/// P mass of the largest finite loss of the worst (epsilon, delta)-DP mechanism.
Real top_mass(double epsilon, double delta) { return (1 - Real(delta)) / (1 + exp(-Real(epsilon))); }

pld::Composition two_guarantees(double delta) {
  pld::Composition composition;
  composition.add(pld::ApproximateDp{.epsilon = 1, .delta = delta})
      .add(pld::ApproximateDp{.epsilon = 2, .delta = delta});
  return composition;
}

}  // namespace

TEST_CASE("readout.largest_loss.delta_there_is_the_mass_at_infinity") {
  for (const double delta : {0.0, 1e-9, 0.1}) {
    CAPTURE(delta);
    const Real infinite = 1 - (1 - Real(delta)) * (1 - Real(delta));
    const pld::DeltaAnswer answer = pld::delta(two_guarantees(delta), {.epsilon = 3});
    CHECK_INSIDE(answer, static_cast<double>(infinite));
    CHECK(answer.width() <= 1e-14);
  }
}

TEST_CASE("readout.largest_loss.delta_just_below_is_the_top_atom's") {
  for (const double gap : {std::ldexp(1, -20), std::ldexp(1, -40), std::ldexp(1, -48)}) {
    CAPTURE(gap);
    const Real exact = top_mass(1, 0) * top_mass(2, 0) * -boost::multiprecision::expm1(-Real(gap));
    const pld::DeltaAnswer answer = pld::delta(two_guarantees(0), {.epsilon = 3 - gap});
    CHECK_INSIDE(answer, static_cast<double>(exact));
    CHECK(answer.upper <= 2 * gap + 1e-14);
  }
}

// No atom lies at the largest loss L of a bounded-range mechanism: a distance g below it P has density a e^{-g/2} with
// a = 1 / (2 (1 - e^-epsilon)), so that delta(3 L - s) < c s^4 of three of them, c = a^3 / 24. Two candidates with the
// losses L - s/4 and less have at least e^{-s} c s^4 with c = a^3 / 32, three times: (2 a (1 - e^{-s/4}))^3 (1 -
// e^{-s/4}).
TEST_CASE("readout.largest_loss.approached_through_a_density") {
  for (const double log10_delta : {-20.0, -30.0, -45.0}) {
    const double target = std::pow(10, log10_delta), a = -0.5 / std::expm1(-0.5);
    CAPTURE(target);
    const double least = std::pow(24 * target / (a * a * a), 0.25),
                 attained = std::pow(32 * target / (a * a * a), 0.25);
    const pld::Answer answer = pld::epsilon(
        pld::Composition().add(pld::ExponentialMechanism{.epsilon = 0.5}, 3).of_pairs(), {.delta = target});
    const double rounding = 4e-16;
    CHECK(answer.lower <= 1.5 - least + rounding);
    CHECK(answer.upper >= 1.5 - attained * std::exp(attained) - rounding);
    CHECK(answer.upper <= 1.5 - 0.99 * least + rounding);
  }
}

namespace {

/// The pure epsilon of a composition, checked to be the truth's neighbours among doubles, or the truth where that is
/// one.
void check_pure_epsilon(const pld::Composition& composition, const Real& truth) {
  const pld::Answer answer = pld::epsilon(composition, {.delta = 0});
  CAPTURE(truth);
  CHECK(Real(answer.lower) <= truth);
  CHECK(Real(answer.upper) >= truth);
  CHECK(Real(std::nextafter(answer.lower, INFINITY)) > truth);
  CHECK(Real(std::nextafter(answer.upper, 0)) < truth);
}

}  // namespace

TEST_CASE("readout.largest_loss.pure_epsilons_are_rounded_once") {
  std::mt19937_64 random(11);
  const auto size = [&] { return std::exp(std::uniform_real_distribution<double>(-12, 12)(random)); };
  for (int i = 0; i < 300; ++i) {
    const auto count = static_cast<std::int64_t>(std::exp(std::uniform_real_distribution<double>(0, 27)(random)));
    const double scale = size(), sensitivity = size(), rate = size(), steps = std::floor(1 + size());
    const Real laplace = Real(count) * Real(sensitivity) / Real(scale), discrete = Real(rate) * Real(steps);
    check_pure_epsilon(pld::Composition().add(pld::Laplace{.scale = scale, .sensitivity = sensitivity}, count),
                       laplace);
    check_pure_epsilon(pld::Composition()
                           .add(pld::Laplace{.scale = scale, .sensitivity = sensitivity}, count)
                           .add(pld::DiscreteLaplace{.a = rate, .sensitivity = steps})
                           .add(pld::ApproximateDp{.epsilon = rate}, 3),
                       laplace + discrete + 3 * Real(rate));
  }
}

TEST_CASE("readout.largest_loss.whole_budgets_are_exact") {
  const auto check_whole = [](const pld::Composition& composition, double whole) {
    CAPTURE(whole);
    const pld::Answer answer = pld::epsilon(composition, {.delta = 0});
    CHECK(answer.lower == whole);
    CHECK(answer.upper == whole);
    CHECK(pld::delta(composition, {.epsilon = whole}).upper == 0);
    CHECK(pld::delta(composition, {.epsilon = std::nextafter(whole, 0)}).upper > 0);
  };
  for (int parts = 1; parts <= 200; parts += parts < 50 ? 1 : 7) {
    check_whole(pld::Composition().add(pld::Laplace{.scale = 1.0 * parts}, parts), 1);
    check_whole(pld::Composition().add(pld::Laplace{.scale = 3.0 * parts, .sensitivity = 6}, 7 * parts), 14);
    check_whole(pld::Composition().add(pld::ReportNoisyMax{.scale = 2.0 * parts}, parts).of_pairs(), 1);
  }
  check_whole(pld::Composition().add(pld::Laplace{.scale = 3}).add(pld::Laplace{.scale = 3, .sensitivity = 2}), 1);
  check_whole(
      pld::Composition().add(pld::Laplace{.scale = 3}).add(pld::Laplace{.scale = 6}).add(pld::Laplace{.scale = 2}), 1);
  check_whole(pld::Composition().add(pld::ExponentialMechanism{.epsilon = 0.25}, 4).of_pairs(), 1);
  // 0.1 as a double is above a tenth: ten of them exceed 1.
  CHECK(pld::epsilon(pld::Composition().add(pld::ApproximateDp{.epsilon = 0.1}, 10), {.delta = 0}).upper > 1);
}
