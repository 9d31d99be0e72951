// delta at and just below the largest loss of a composition, against the exact masses in 50 digits.
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <vector>

#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace {

using Real = boost::multiprecision::cpp_bin_float_50;

/// P mass of the largest finite loss of the worst (epsilon, delta)-DP mechanism.
Real top_mass(double epsilon, double delta) { return (1 - Real(delta)) / (1 + exp(-Real(epsilon))); }

pld::Composition two_guarantees(double delta) {
  pld::Composition composition;
  composition.add(pld::ApproximateDp{.epsilon = 1, .delta = delta}).add(pld::ApproximateDp{.epsilon = 2, .delta = delta});
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
// a = 1 / (2 (1 - e^-epsilon)), so that e^{-s} c s^4 < delta(3 L - s) < c s^4 of three of them, c = a^3 / 24.
TEST_CASE("readout.largest_loss.approached_through_a_density") {
  for (const double log10_delta : {-20.0, -30.0, -45.0}) {
    const double target = std::pow(10, log10_delta), a = -0.5 / std::expm1(-0.5);
    CAPTURE(target);
    const double least = std::pow(24 * target / (a * a * a), 0.25), most = least * std::exp(least);
    const pld::Answer answer =
        pld::epsilon(pld::Composition().add(pld::ExponentialMechanism{.epsilon = 0.5}, 3), {.delta = target});
    const double rounding = 4e-16;
    CHECK(answer.lower <= 1.5 - least + rounding);
    CHECK(answer.upper >= 1.5 - most - rounding);
    CHECK(answer.width() <= 0.01 * least + 1e-14);
  }
}
