#include "readout/line_reading.hpp"

#include <cmath>
#include <cstddef>
#include <iterator>
#include <optional>
#include <random>
#include <vector>

#include "pld/core/contradictions.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"
#include "support/readout_reference.hpp"

using namespace pld;
using test::as_double;
using test::check_holds;
using test::Real;
using test::to_an_ulp;

TEST_CASE("readout.line_reading.readings_far_apart_hold_the_gaussian's_line") {
  // Also where the outermost lines have a power above 1, no type II error at all.
  const double mu = 1;
  const PrivacyProfile profile(Composition().add(Gaussian{.sigma = 1, .sensitivity = mu}));
  const ProfileEnd end{-infinity, infinity};
  int above_one = 0;
  for (const double alpha : {1e-6, 0.01, 0.3, 0.7, 0.99})
    for (const double step : {0.1, 0.4, 1.0})
      for (const double aside : {-0.4, -0.2, 0.0, 0.2, 0.4}) {
        const auto exact = test::gaussian_errors(mu, alpha);
        const double touching = mu * as_double(test::normal_upper_quantile(alpha)) - mu * mu / 2;
        std::vector<LineReading> five;
        for (const double place : {-2.0, -1.0, 0.0, 1.0, 2.0}) {
          const double epsilon = touching + step * (place + aside);
          const ProfileBracket at = profile.log_profile(epsilon), opposite = profile.log_profile(-epsilon);
          five.push_back(line_reading({at, opposite.log_delta}, epsilon, alpha));
        }
        CAPTURE(alpha);
        CAPTURE(step);
        CAPTURE(aside);
        const SupportingLine found =
            certified_line({{&five[0], &five[1], &five[2], &five[3], &five[4]}, 5, 2}, end, alpha).line;
        CHECK_INSIDE(found.log_power, as_double(log(exact.power)));
        CHECK_INSIDE(found.log_beta, as_double(log(exact.beta)));
        CHECK(found.log_beta.width() <= 10 * step * step);
        above_one += five[4].log_beta.upper == -infinity;
      }
  CHECK(above_one >= 10);
}

namespace {

/// A number in (0, 1), near either end as often as not.
double share(std::mt19937_64& random) {
  std::uniform_real_distribution<double> decades(-16, 0), even(0, 1);
  const double small = std::pow(10, decades(random));
  return even(random) < 0.3 ? even(random) : even(random) < 0.5 ? small : 1 - small;
}

Real log_complement(const Real& log_value) { return log1p(-exp(log_value)); }

}  // namespace

// Roundings alone: readings of a profile known to an ulp, the one number they come from exactly, hold the sum and the
// difference.
TEST_CASE("readout.line_reading.readings_hold_in_50_digits") {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> epsilons(-8, 8);
  const auto exactly = [](double x) { return Bracket{x, x, x}; };
  int counted = 0, mirrored = 0;
  for (int i = 0; i < 20000; ++i) {
    const double alpha = share(random), epsilon = epsilons(random), known = std::log(share(random));
    if (!(known < 0) || !(alpha < 1)) continue;
    // Below 0 what is known is the opposite profile: 1 - delta(epsilon) = e^epsilon (1 - opposite delta(-epsilon)).
    const bool below = epsilon < 0;
    const Real log_rest = below ? Real(log_complement(known) + epsilon) : log_complement(known),
               log_delta = below ? log_complement(log_rest) : Real(known);
    const Real power = exp(log_delta) + exp(Real(epsilon)) * alpha;
    if (power >= 1) continue;
    const Bracket delta = below ? to_an_ulp(log_delta) : exactly(known), opposite = below ? exactly(known) : Bracket{};
    const LineReading found = line_reading({{delta, to_an_ulp(log_rest)}, opposite}, epsilon, alpha);
    CAPTURE(alpha);
    CAPTURE(epsilon);
    CAPTURE(known);
    check_holds(found.log_power, log(power));
    check_holds(found.log_beta, log(1 - power));
    CHECK(found.log_power.width() <= 1e-13 * (1 + std::fabs(found.log_power.estimate) + std::fabs(epsilon)));
    ++counted;
    mirrored += below && alpha > 0.5;
  }
  CHECK(counted > 3000);
  CHECK(mirrored > 500);
}

TEST_CASE("readout.line_reading.plain_bounds_hold_in_50_digits") {
  std::mt19937_64 random(6);
  const SupportingLine unknown{0, {-INFINITY, -INFINITY, 0}, {-INFINITY, 0, 0}};
  for (int i = 0; i < 20000; ++i) {
    const double alpha = share(random), log_infinity = std::log(share(random));
    if (!(alpha < 1)) continue;
    const SupportingLine found = with_plain_bounds(unknown, {log_infinity, INFINITY}, alpha);
    const Real log_alpha = log(Real(alpha)), least = Real(log_infinity) > log_alpha ? Real(log_infinity) : log_alpha;
    CAPTURE(alpha);
    CAPTURE(log_infinity);
    CHECK(Real(found.log_power.lower) <= least);
    CHECK(Real(found.log_beta.upper) >= log_complement(least));
    CHECK(Real(found.log_power.lower) >= least - 1e-15 * (1 + abs(least)));
  }
}

TEST_CASE("readout.line_reading.the_least_power_of_readings_holds_for_the_gaussian") {
  std::mt19937_64 random(8);
  for (const double mu : {0.2, 1.0, 6.0}) {
    const PrivacyProfile profile(Composition().add(Gaussian{.sigma = 1, .sensitivity = mu}));
    for (const double alpha : {1e-9, 1e-3, 0.2, 0.8, 1 - 1e-6}) {
      const Real exact = log(test::gaussian_errors(mu, alpha).power);
      const double touching = mu * as_double(test::normal_upper_quantile(alpha)) - mu * mu / 2, far = 3 * (1 + mu);
      const auto least = [&](double first, double last, double apart) {
        std::uniform_real_distribution<double> step(0, apart);
        std::vector<LineReading> readings;
        for (double epsilon = first; epsilon < last; epsilon += step(random)) {
          const ProfileBracket at = profile.log_profile(epsilon), opposite = profile.log_profile(-epsilon);
          readings.push_back(line_reading({at, opposite.log_delta}, epsilon, alpha));
        }
        return least_log_power(readings, {-INFINITY, INFINITY}, alpha);
      };
      CAPTURE(mu);
      CAPTURE(alpha);
      for (const double apart : {0.02, 0.5}) {
        CAPTURE(apart);
        const double found = least(touching - far, touching + far, apart);
        CHECK(found <= exact);
        // Between two readings e^epsilon alpha rises by no more than they are apart.
        CHECK(found >= exact - 1.05 * apart);
      }
      // The line itself beyond all readings, to either side.
      for (const double beside : {0.1, 0.5}) {
        CAPTURE(beside);
        CHECK(least(touching - far, touching - beside * mu, 0.02) <= exact);
        CHECK(least(touching + beside * mu, touching + far, 0.02) <= exact);
      }
    }
  }
}

TEST_CASE("readout.line_reading.of_no_reading_the_least_power_is_the_mass_at_infinity") {
  CHECK(least_log_power({}, {-2, INFINITY}, 0.1) == -2);
}

namespace {

/// Of a power between these ends; 1 and above leaves no type II error.
LineReading reading_of(double epsilon, double least, double most) {
  const auto log_of = [](double x) { return x > 0 ? std::log(x) : -INFINITY; };
  return {
      epsilon, {log_of(least), log_of(least), log_of(most)}, {log_of(1 - most), log_of(1 - least), log_of(1 - least)}};
}

AroundLowest around(const std::vector<LineReading>& all, std::ptrdiff_t lowest, std::optional<Side> rounded) {
  const auto at = [&](int places) {
    const std::ptrdiff_t index = lowest + places;
    return index < 0 || index >= std::ssize(all) ? nullptr : &all[static_cast<std::size_t>(index)];
  };
  return around_lowest(at, {.rounded = rounded});
}

std::vector<double> epsilons_of(const AroundLowest& readings) {
  std::vector<double> out;
  for (std::size_t i = 0; i < readings.size; ++i) out.push_back(readings.at[i]->epsilon);
  return out;
}

}  // namespace

TEST_CASE("readout.line_reading.of_two_laws_the_rise_of_each_is_shown") {
  const auto exactly = [](double epsilon, double power) { return reading_of(epsilon, power, power); };
  // The first reading of the other law shows no rise of that law.
  const std::vector<LineReading> steep{exactly(-0.4, 0.45), exactly(-0.3, 0.4), exactly(-0.2, 0.35), exactly(-0.1, 0.3),
                                       exactly(0, 0.1),     exactly(0.1, 0.2),  exactly(0.2, 0.3)};
  CHECK(epsilons_of(around(steep, 4, std::nullopt)) == std::vector<double>{-0.2, -0.1, 0, 0.1, 0.2});
  CHECK(epsilons_of(around(steep, 4, Side::lower)) == std::vector<double>{-0.3, -0.2, -0.1, 0, 0.1, 0.2});
  // What lies above its own law's first need not lie above the lowest.
  const std::vector<LineReading> wide{exactly(-0.4, 0.4),  exactly(-0.3, 0.2),       exactly(-0.2, 0.13),
                                      exactly(-0.1, 0.11), reading_of(0, 0.1, 0.15), exactly(0.1, 0.2),
                                      exactly(0.2, 0.3)};
  CHECK(epsilons_of(around(wide, 4, Side::lower)) == std::vector<double>{-0.4, -0.3, -0.2, -0.1, 0, 0.1, 0.2});
  // Lines that leave no type II error rise by their power.
  const std::vector<LineReading> loud{exactly(-3, 0.9999), exactly(-2, 0.999), exactly(-1, 0.99),
                                      exactly(1, 2),       exactly(2, 3),      exactly(3, 4)};
  CHECK(epsilons_of(around(loud, 2, Side::lower)) == std::vector<double>{-3, -2, -1, 1, 2, 3});
  // Of a long flat piece the ends are kept, and where the laws meet.
  std::vector<LineReading> flat;
  for (int i = -20; i <= 20; ++i) flat.push_back(exactly(i / 4.0, std::abs(i) < 19 ? 0.1 : std::abs(i) / 100.0));
  const auto kept = epsilons_of(around(flat, 30, Side::lower));
  CHECK(kept == std::vector<double>{-5, -4.75, -4.5, -4.25, -0.25, 0, 2.5, 4.25, 4.5, 4.75, 5});
}

// Lines of (e^epsilon, power) with epsilon < 0 of one bound and the others of another, which is far lower: what the
// first one proves of all lines is above a reading of the other, and no contradiction.
TEST_CASE("readout.line_reading.bounds_of_two_laws_contradict_nothing") {
  const std::int64_t before = contradictions();
  const auto reading = [](double place, double power) {
    const double log_power = std::log(power), log_beta = std::log1p(-power);
    return LineReading{std::log(place), {log_power, log_power, log_power}, {log_beta, log_beta, log_beta}};
  };
  const std::vector<LineReading> six{reading(0.4, 0.17), reading(0.5, 0.16), reading(0.6, 0.15),
                                     reading(1, 0.05),   reading(1.1, 0.06), reading(1.2, 0.08)};
  const ProfileEnd end{.log_infinity = -INFINITY, .largest_loss = INFINITY, .rounded = Side::lower};
  const AroundLowest around{{&six[0], &six[1], &six[2], &six[3], &six[4], &six[5]}, 6, 3};
  const SupportingLine found = certified_line(around, end, 0.01).line;
  CHECK_REL(std::exp(found.log_power.lower), 0.06, 1e-12);  // right of the last but one the lower bound alone
  CHECK_REL(std::exp(found.log_beta.upper), 0.94, 1e-12);
  CHECK(contradictions() == before);
}
