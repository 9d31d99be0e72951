#include "account/chord_bounds.hpp"

#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace {

using namespace pld;

BoundAt bound_at(double epsilon, double delta) {
  return {epsilon, {{std::log(delta), 0, std::log(delta)}, {std::log1p(-delta), 0, std::log1p(-delta)}}};
}

}  // namespace

TEST_CASE("account.chord_bounds.lie on the chord or above it by rounding only") {
  std::mt19937_64 random(3);
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  for (int i = 0; i < 2000; ++i) {
    const double low = uniform(-3, 3), high = low + std::exp(uniform(-20, 2)), at = low + uniform(0, 1) * (high - low);
    const double large = std::exp(uniform(-30, -0.1)), small = large * uniform(0, 1);
    // With more digits than a double has, of what the rounded logs say.
    const BoundAt left = bound_at(low, large), right = bound_at(high, small);
    const long double l = low, x = at, h = high;
    const long double share = std::exp(x - l) * std::expm1(h - x) / std::expm1(h - l);
    const auto mean = [&](long double of_left, long double of_right) {
      return std::log(share * std::exp(of_left) + (1 - share) * std::exp(of_right));
    };
    const long double log_chord = mean(left.bound.log_delta.upper, right.bound.log_delta.upper),
                      log_rest = mean(left.bound.log_complement.lower, right.bound.log_complement.lower);
    CAPTURE(low);
    CAPTURE(at);
    CAPTURE(high);
    const ProfileBracket found = chord_at(left, at, right);
    CHECK(found.log_delta.upper >= log_chord);
    CHECK(found.log_delta.upper <= log_chord + 1e-12L);
    CHECK(found.log_complement.lower <= std::max(log_rest, std::log1p(-std::exp(log_chord))) + 1e-18L);
    CHECK(found.log_complement.lower >= log_rest - 1e-12L);
    const double chord = large * static_cast<double>(share) + small * static_cast<double>(1 - share);
    const double epsilon = chord_epsilon({large, low}, chord, {small, high});
    CHECK(epsilon >= at - 1e-9 * (1 + std::fabs(at)));
    CHECK(epsilon <= high);
  }
}

TEST_CASE("account.chord_bounds.at ends that say nothing") {
  CHECK(chord_epsilon({0.1, 2}, 0.05, {0.01, infinity}) == infinity);
  CHECK(chord_epsilon({1, -infinity}, 0.5, {0, 3}) >= 3 + std::log(0.5));  // e^epsilon falls by half
  CHECK(chord_epsilon({1, -infinity}, 0.5, {0, 3}) <= 3 + std::log(0.5) + 1e-12);
  const ProfileBracket nothing = bound_at(1, 0).bound;  // a delta of 0 is a bound, too
  CHECK(chord_at({0, bound_at(0, 0.5).bound}, 0.5, {1, nothing}).log_delta.upper < std::log(0.5));
}

TEST_CASE("account.chord_bounds.halfway until chords are as good") {
  // 1 / (1 + x) at x = 0 .. 1000: few are solved, and the chords of these are right to a thousandth.
  const auto value = [](std::size_t i) { return 1 / (1 + static_cast<double>(i)); };
  std::vector<double> out(1001, 1);
  int solved = 0;
  const auto solve = [&](std::size_t i) { out[i] = value(i), ++solved; };
  const auto chord = [&](std::size_t low, std::size_t i, std::size_t high) {
    const double share = static_cast<double>(high - i) / static_cast<double>(high - low);
    return share * out[low] + (1 - share) * out[high];
  };
  const auto draw = [&](std::size_t low, std::size_t i, std::size_t high) {
    const double found = std::exchange(out[i], std::min(out[i], chord(low, i, high)));
    return 2 * (chord(low, i, high) - found) / (1e-3 * out[high]);
  };
  solve_halfway(out.size(), solve, draw);
  CHECK(solved < 300);
  for (std::size_t i = 0; i < out.size(); ++i) {
    CHECK(out[i] >= value(i) * (1 - 1e-12));
    CHECK(out[i] <= value(i) * 1.001);
  }
}
