#include "readout/convex_minimum.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "support/checks.hpp"

namespace {

using namespace pld;

template <class F>
std::array<ConvexReading, 5> readings(const F& f, std::array<double, 5> x, double width) {
  std::array<ConvexReading, 5> at;
  for (std::size_t i = 0; i < 5; ++i) at[i] = {x[i], f(x[i]) - width, f(x[i]) + width};
  return at;
}

}  // namespace

TEST_CASE("readout.convex_minimum.exact_at_a_kink_between_straight_pieces") {
  for (const double kink : {-0.7, -0.3, 0.0, 0.4, 0.9}) {
    const auto f = [&](double x) { return 2 + std::max(3 * (x - kink), -0.5 * (x - kink)); };
    // The lowest of the five in the middle.
    const double middle = std::round(kink);
    const auto at = readings(f, {middle - 2, middle - 1, middle, middle + 1, middle + 2}, 0);
    if (!(at[1].lower > at[2].upper && at[3].lower > at[2].upper)) continue;
    CHECK(std::fabs(convex_minimum(at, 2, -INFINITY).value - 2) <= 1e-13);
  }
}

TEST_CASE("readout.convex_minimum.close_below_a_parabola") {
  for (const double d : {0.1, 1e-3}) {
    const auto f = [](double x) { return 1 + x * x / 2; };
    const double found = convex_minimum(readings(f, {-2 * d, -d, 0, d, 2 * d}, 0), 2, -INFINITY).value;
    CHECK(found <= 1);
    CHECK(found >= 1 - 0.26 * d * d - 1e-13);
  }
}

TEST_CASE("readout.convex_minimum.never_above_the_minimum") {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int certain = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    // The largest of eight lines, with a minimum found by walking its kinks.
    std::array<double, 8> slope{}, height{};
    for (std::size_t i = 0; i < 8; ++i) slope[i] = 3 * uniform(random), height[i] = uniform(random);
    slope[0] = -4, slope[1] = 4;
    const auto f = [&](double x) {
      double most = -INFINITY;
      for (std::size_t i = 0; i < 8; ++i) most = std::max(most, height[i] + slope[i] * x);
      return most;
    };
    double least = INFINITY;
    for (std::size_t i = 0; i < 8; ++i)
      for (std::size_t j = 0; j < i; ++j) least = std::min(least, f((height[i] - height[j]) / (slope[j] - slope[i])));
    std::array<double, 5> x{};
    for (double& place : x) place = 2 * uniform(random);
    std::sort(x.begin(), x.end());
    const auto at = readings(f, x, trial % 2 == 0 ? 0 : 1e-3);
    const double bound = convex_minimum(at, 2, -INFINITY).value;
    CHECK(bound <= least + 1e-12);
    if (bound > -INFINITY) ++certain;
  }
  CHECK(certain >= 100);
}

TEST_CASE("readout.convex_minimum.a_known_bound_beyond_stands_in_for_a_rise") {
  const auto flat = [](double x) { return std::max(1.0, 1 - x); };
  const auto at = readings(flat, {-2, -1, 0.5, 1, 2}, 0);
  CHECK(convex_minimum(at, 2, -INFINITY).value == -INFINITY);
  CHECK(convex_minimum(at, 2, 0.99).value <= 1);
}

TEST_CASE("readout.convex_minimum.exact_where_the_function_is_flat") {
  // Kinks at -0.2 and 1.3 and nothing between: the readings beside them on the flat piece bound it.
  const auto f = [](double x) { return 1 + std::max({0.0, -2 * (x + 0.2), 5 * (x - 1.3)}); };
  std::array<ConvexReading, 8> at{};
  const std::array<double, 8> x{-1.1, -0.5, 0, 0.3, 0.8, 1.1, 1.6, 2.2};
  for (std::size_t i = 0; i < 8; ++i) at[i] = {x[i], f(x[i]), f(x[i])};
  const double found = convex_minimum(at, 3, -INFINITY).value;
  CHECK(found <= 1);
  CHECK(found >= 1 - 1e-13);
}

// The largest of eight lines, read as that of five of them on the left and of five on the right: both lie below it, and
// a chord from one to the other bounds nothing.
TEST_CASE("readout.convex_minimum.never_above_the_minimum_of_what_lies_above_two_functions") {
  std::mt19937_64 random(12);
  std::uniform_real_distribution<double> uniform(-1, 1);
  int certain = 0, above_by_mixed_chords = 0;
  for (int trial = 0; trial < 2000000; ++trial) {
    std::array<double, 8> slope{}, height{};
    for (std::size_t i = 0; i < 8; ++i) slope[i] = 3 * uniform(random), height[i] = uniform(random);
    slope[3] = -4, slope[4] = 4;
    const auto most = [&](double x, std::size_t first, std::size_t end) {
      double value = -INFINITY;
      for (std::size_t i = first; i < end; ++i) value = std::max(value, height[i] + slope[i] * x);
      return value;
    };
    double least = INFINITY;
    for (std::size_t i = 0; i < 8; ++i)
      for (std::size_t j = 0; j < i; ++j)
        least = std::min(least, most((height[i] - height[j]) / (slope[j] - slope[i]), 0, 8));
    std::array<double, 7> x{};
    for (double& place : x) place = 2 * uniform(random);
    std::sort(x.begin(), x.end());
    const auto seam = static_cast<std::size_t>(trial % 7) + 1;
    std::array<ConvexReading, 7> at{};
    for (std::size_t i = 0; i < 7; ++i) {
      const double value = i < seam ? most(x[i], 0, 5) : most(x[i], 3, 8);
      at[i] = {x[i], value, value};
    }
    const auto lower = [](const ConvexReading& a, const ConvexReading& b) { return a.lower < b.lower; };
    const auto lowest = static_cast<std::size_t>(std::min_element(at.begin() + 2, at.end() - 2, lower) - at.begin());
    const double bound = convex_minimum(at, lowest, -INFINITY, seam).value;
    CHECK(bound <= least + 1e-12);
    if (bound > -INFINITY) ++certain;
    if (convex_minimum(at, lowest, -INFINITY).value > least + 1e-3) ++above_by_mixed_chords;
  }
  CHECK(certain >= 1000);
  CHECK(above_by_mixed_chords >= 100);
}

// The only reading of the first function is above one of the second: no chord joins the two. The second falls to 0.5 at
// -0.2, and rises to where nothing certain is known.
TEST_CASE("readout.convex_minimum.one_reading_of_another_function_says_nothing") {
  const std::array<ConvexReading, 5> at{{{-2, 3.1, 3.1}, {-1, 3, 3}, {0, 1, 1}, {1, 1, 4}, {2, 1, 7}}};
  CHECK(convex_minimum(at, 2, 1, 1).value <= 0.5);
}
