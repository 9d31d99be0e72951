#include "calibrate/last_accepted.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "pld/core/rounding.hpp"
#include "pld/core/time_limit.hpp"

namespace pld {
namespace {

using Safer = Unknown::Safer;
using Scale = Unknown::Scale;

Unknown range(Safer safer, Scale scale, double lowest, double highest) {
  Unknown out;
  out.safer = safer, out.scale = scale, out.lowest = lowest, out.highest = highest;
  return out;
}

/// Of noise, whose share of what is left falls as its square.
Verdict of_noise(double value, double threshold) { return {value >= threshold, std::pow(threshold / value, 2) - 1}; }
Verdict of_count(double value, double threshold) { return {value <= threshold, value / threshold - 1}; }

constexpr int many = 300;

TEST_CASE("calibrate.last_accepted.neighbouring_doubles_of_noise") {
  const Unknown noise = range(Safer::larger, Scale::logarithmic, 1e-4, 1e12);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> log_threshold(std::log(2e-4), std::log(9e11));
  for (int i = 0; i < many; ++i) {
    const double threshold = std::exp(log_threshold(random));
    int asked = 0;
    const LastAccepted found = last_accepted(noise, [&](double value) {
      ++asked;
      return of_noise(value, threshold);
    });
    CAPTURE(threshold);
    CHECK(found.accepted == threshold);
    REQUIRE(found.refused);
    CHECK(*found.refused == std::nextafter(threshold, 0));
    CHECK(found.adjacent);
    CHECK(asked <= 60);
  }
}

TEST_CASE("calibrate.last_accepted.neighbouring_whole_numbers") {
  const Unknown count = range(Safer::smaller, Scale::whole, 1, 1e12);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> log_threshold(0, std::log(9e11));
  for (int i = 0; i < many; ++i) {
    const double threshold = std::exp(log_threshold(random));
    const LastAccepted found = last_accepted(count, [&](double value) {
      CHECK(value == std::floor(value));
      return of_count(value, threshold);
    });
    CAPTURE(threshold);
    CHECK(found.accepted == std::floor(threshold));
    REQUIRE(found.refused);
    CHECK(*found.refused == std::floor(threshold) + 1);
  }
}

TEST_CASE("calibrate.last_accepted.rates_and_noise_in_whole_numbers") {
  const Unknown rate = range(Safer::smaller, Scale::logarithmic, 1e-12, 0.5);
  const LastAccepted of_rate = last_accepted(rate, [](double value) { return of_count(value, 3e-7); });
  CHECK(of_rate.accepted == 3e-7);
  CHECK(of_rate.refused == std::nextafter(3e-7, 1));
  const Unknown coins = range(Safer::larger, Scale::whole, 2, 1e9);
  const LastAccepted of_coins = last_accepted(coins, [](double value) { return of_noise(value, 4711.5); });
  CHECK(of_coins.accepted == 4712);
  CHECK(of_coins.refused == 4711);
}

TEST_CASE("calibrate.last_accepted.the_ends_of_the_range") {
  for (const Scale scale : {Scale::logarithmic, Scale::whole}) {
    const Unknown noise = range(Safer::larger, scale, 5, 80), count = range(Safer::smaller, scale, 5, 80);
    const auto all = [](double) { return Verdict{true, -1}; };
    CHECK(last_accepted(noise, all).accepted == 5);
    CHECK(last_accepted(count, all).accepted == 80);
    CHECK(!last_accepted(noise, all).refused);
    CHECK(!last_accepted(count, all).refused);
    CHECK(last_accepted(noise, [](double value) { return of_noise(value, 80); }).accepted == 80);
    CHECK(last_accepted(count, [](double value) { return of_count(value, 5); }).accepted == 5);
  }
}

TEST_CASE("calibrate.last_accepted.next_to_the_end_of_the_range") {
  const LastAccepted count =
      last_accepted(range(Safer::smaller, Scale::whole, 5, 80), [](double value) { return of_count(value, 79); });
  CHECK(count.accepted == 79);
  CHECK(count.refused == 80);
  const double most = std::nextafter(80.0, 0);
  const LastAccepted rate = last_accepted(range(Safer::smaller, Scale::logarithmic, 5, 80),
                                          [&](double value) { return of_count(value, most); });
  CHECK(rate.accepted == most);
  CHECK(rate.refused == 80);
}

// The excess only places the search: one that tells nothing, or the opposite, costs time.
TEST_CASE("calibrate.last_accepted.the_verdict_decides_whatever_the_excess") {
  const Unknown noise = range(Safer::larger, Scale::logarithmic, 1e-4, 1e12);
  for (const double excess : {0.0, 1.0, -1.0, infinity, -infinity}) {
    const LastAccepted found = last_accepted(noise, [&](double value) { return Verdict{value >= 1234.5, excess}; });
    CAPTURE(excess);
    CHECK(found.accepted == 1234.5);
    CHECK(found.refused == std::nextafter(1234.5, 0));
  }
}

TEST_CASE("calibrate.last_accepted.ends_with_the_time") {
  const TimeLimit limit(TimeLimit::Clock::now());
  const Unknown noise = range(Safer::larger, Scale::logarithmic, 1e-4, 1e12);
  const LastAccepted found = last_accepted(noise, [](double value) { return of_noise(value, 42); });
  CHECK(!found.adjacent);
  CHECK(found.accepted >= 42);
  REQUIRE(found.refused);
  CHECK(*found.refused < 42);
}

}  // namespace
}  // namespace pld
