#include "pairs/known_masses.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace pld::test {
namespace {

/// Tells how often it was asked.
class CountingNoise final : public LogConcaveIntegerNoise {
 public:
  [[nodiscard]] long double log_mass(double x) const override {
    ++asked;
    return -static_cast<long double>(x * x) / 7;
  }
  mutable int asked = 0;
};

TEST_CASE("pairs.known_masses.tails_are_sums_and_are_summed_once") {
  const auto noise = std::make_shared<CountingNoise>();
  const KnownMasses masses(noise);
  for (const double x : {0.0, 1.0, 7.0, 40.0}) {
    long double sum = 0;
    for (int i = 0; i < 60; ++i) sum += std::exp((x * x - (x + i) * (x + i)) / 7.0L);
    CHECK(std::fabs(masses.scaled_tail(x, KnownMasses::Side::right) / static_cast<double>(sum) - 1) < 1e-15);
    CHECK(masses.scaled_tail(-x, KnownMasses::Side::left) == masses.scaled_tail(x, KnownMasses::Side::right));
  }
  const int asked = noise->asked;
  CHECK(masses.scaled_tail(7, KnownMasses::Side::right) < 1.3);
  CHECK(noise->asked == asked);
}

TEST_CASE("pairs.known_masses.each_is_asked_for_once_and_told_unchanged") {
  const auto noise = std::make_shared<CountingNoise>();
  const KnownMasses masses(noise);
  const auto check = [&](double first, double last) {
    const std::vector<long double> found = masses.between(first, last);
    REQUIRE(found.size() == static_cast<std::size_t>(last - first));
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double x = first + static_cast<double>(i);
      CHECK(found[i] == -static_cast<long double>(x * x) / 7);
      CHECK(masses.at(x) == found[i]);
    }
  };
  check(-5, 20);
  const int asked = noise->asked;
  check(-3, 12);
  CHECK(noise->asked == asked);
  check(-30, 40);
  check(1000, 1010);
  check(-100'000, -99'900);
  const int asked_in_all = noise->asked;
  CHECK(asked_in_all <= 25 + 45 + 10 + 100 + 5 * 32);  // and those around
  check(-30, 40);
  check(1000, 1010);
  CHECK(noise->asked == asked_in_all);
  CHECK(masses.at(0x1p50) == noise->log_mass(0x1p50));
  CHECK(masses.between(3, 3).empty());
}

}  // namespace
}  // namespace pld::test
