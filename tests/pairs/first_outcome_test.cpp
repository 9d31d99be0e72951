#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "pairs/whole_outcome_pair.hpp"

namespace pld::test {
namespace {

constexpr double countable = 0x1p51;

/// A rising function that is above 0 from `root` on: powers, logarithms, steps, what is hardly above it, infinities.
double drawn_excess(int kind, double root, double x) {
  const double away = x - root;
  if (kind == 0) return away >= 0 ? 1 + away : away;
  if (kind == 1) return std::copysign(std::log1p(std::fabs(away)), away) + (away >= 0 ? 1e-300 : 0);
  if (kind == 2) return away >= 0 ? 1e-310 : -infinity;
  if (kind == 3) return away >= 0 ? 1 : 0;
  if (kind == 4) return away >= 0 ? infinity : -1e-9;
  if (kind == 5)
    return away >= 0 ? 1e-300 + 1e150 * std::expm1(away / std::fabs(root)) : 1e150 * std::expm1(away / std::fabs(root));
  return away >= 0 ? std::pow(1 + away, 3) : -std::pow(-away, 3);
}

TEST_CASE("pairs.first_outcome.is_the_first_for_any_rising_function") {
  std::mt19937_64 random(2301);
  const auto share = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
  for (int i = 0; i < 20000; ++i) {
    const double size = std::exp(share() * (i % 4 == 0 ? 690 : 34));
    const double root = std::floor(i % 2 == 0 ? size : -size), near = std::floor(share() * 100) - 50;
    const int kind = static_cast<int>(random() % 7);
    int calls = 0;
    const double found = first_outcome(near, infinity, [&](double x) {
      REQUIRE(++calls < 2000);
      return drawn_excess(kind, root, x);
    });
    CAPTURE(kind);
    CAPTURE(root);
    if (std::fabs(root) < countable) CHECK(found == root);
    CHECK(std::fabs(found - root) <= 8 * unit_roundoff * std::fabs(root));
  }
}

// A loss that grows with the logarithm of outcomes is nowhere near those that lattices ask for: each of thousands of
// such searches took 256 steps of a factor of 16.
TEST_CASE("pairs.first_outcome.that_there_is_none_is_soon_known") {
  for (const double side : {1.0, -1.0}) {
    int calls = 0;
    const double found = first_outcome(0, infinity, [&](double x) {
      ++calls;
      return std::copysign(std::log1p(std::fabs(x)), x) - side * 1e6;
    });
    CHECK(found == side * infinity);
    CHECK(calls < 20);
  }
}

TEST_CASE("pairs.first_outcome.beyond_the_ends") {
  for (const double end : {2.0, 17.0, 1000.0, 1e200}) {
    CHECK(first_outcome(0, end, [](double) { return -1.0; }) == infinity);
    CHECK(first_outcome(0, end, [](double) { return 1.0; }) == -infinity);
    CHECK(first_outcome(0, end, [&](double x) { return x >= end ? 1.0 : -1.0; }) == end);
    CHECK(first_outcome(0, end, [](double) { return std::nan(""); }) == infinity);
  }
}

}  // namespace
}  // namespace pld::test
