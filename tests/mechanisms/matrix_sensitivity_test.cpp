#include "pld/mechanisms/matrix_sensitivity.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

#include "formats/refusals.hpp"
#include "support/checks.hpp"

namespace pld {
namespace {

double entry(const StrategyMatrix& c, std::size_t row, std::size_t step) { return c.entries[row * c.steps + step]; }

/// The largest norm of C x over all x of -1, 0 and 1 whose ones are so many and so far apart: contributions of one
/// dimension.
double largest_move(const StrategyMatrix& c, const Participation& participation) {
  std::vector<double> x(c.steps);
  double most = 0;
  const std::function<void(std::size_t, double, double)> choose = [&](std::size_t step, double left, double since) {
    if (step == c.steps) {
      double square = 0;
      for (std::size_t i = 0; i < c.rows; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < c.steps; ++j) sum += entry(c, i, j) * x[j];
        square += sum * sum;
      }
      most = std::max(most, std::sqrt(square));
      return;
    }
    x[step] = 0;
    choose(step + 1, left, since + 1);
    if (left == 0 || since < participation.min_separation) return;
    for (const double sign : {-1.0, 1.0}) {
      x[step] = sign;
      choose(step + 1, left - 1, 1);
    }
    x[step] = 0;
  };
  choose(0, participation.participations, 1e9);
  return most;
}

/// `check(c, participation)` of so many normal matrices and seven ways to take part; `check_sizes(c)` of each matrix's
/// sizes, of which one choice is the worst for every column.
template <class Check, class CheckSizes>
void check_normal_matrices(int matrices, unsigned seed, const Check& check, const CheckSizes& check_sizes) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const std::vector<Participation> all{{1, 1}, {2, 1}, {2, 3}, {3, 2}, {6, 1}, {9, 1}, {2, 50}};
  for (int i = 0; i < matrices; ++i) {
    StrategyMatrix c{.rows = 5, .steps = 6, .entries = std::vector<double>(30)};
    for (double& value : c.entries) value = normal(random);
    for (const Participation& participation : all) {
      CAPTURE(participation.participations);
      CAPTURE(participation.min_separation);
      check(c, participation);
    }
    for (double& value : c.entries) value = std::fabs(value);
    check_sizes(c);
  }
}

TEST_CASE("mechanisms.matrix_sensitivity.no choice of steps moves more") {
  const auto check = [](const StrategyMatrix& c, const Participation& participation) {
    const double bound = matrix_sensitivity(c, participation), truth = largest_move(c, participation);
    CHECK(bound >= truth * (1 - 1e-15));
    CHECK(bound <= 3 * truth);
    if (participation.participations == 1) CHECK(bound <= truth * (1 + 1e-13));
  };
  check_normal_matrices(12, 1, check, [](const StrategyMatrix& c) {
    CHECK_REL(matrix_sensitivity(c, {.participations = 6}), largest_move(c, {.participations = 6}), 1e-13);
  });
}

TEST_CASE("mechanisms.matrix_sensitivity.some record moves as much as is told") {
  const auto check = [](const StrategyMatrix& c, const Participation& participation) {
    const MatrixSensitivity found = matrix_sensitivity_between(c, participation);
    const double attained = found.attained, truth = largest_move(c, participation);
    CHECK(attained <= truth * (1 + 1e-15));
    CHECK(attained >= 0.75 * truth);
    CHECK(attained <= found.bound);
    if (participation.participations == 1) CHECK(is_attained(found, c));
  };
  check_normal_matrices(24, 2, check, [](const StrategyMatrix& c) {
    for (const Participation& participation : {Participation{1, 1}, {6, 1}, {9, 1}})
      CHECK(is_attained(matrix_sensitivity_between(c, participation), c));
  });
}

TEST_CASE("mechanisms.matrix_sensitivity.three columns that pull apart") {
  // At 120 degrees to each other: no signs make all products positive. By hand, two of them and half the third: 2.
  const double height = std::sqrt(0.75);
  const StrategyMatrix c{.rows = 2, .steps = 3, .entries = {1, -0.5, -0.5, 0, height, -height}};
  const MatrixSensitivity found = matrix_sensitivity_between(c, {.participations = 3});
  CHECK_REL(found.bound, std::sqrt(6.0), 1e-14);
  CHECK_REL(found.attained, 2.0, 1e-14);
  CHECK(found.attained <= 2);
  CHECK_FALSE(is_attained(found, c));
}

TEST_CASE("mechanisms.matrix_sensitivity.rounded up") {
  // 3 of 0.1^2 as doubles are above 0.03; 1e8 cancels but for 1.
  const StrategyMatrix tenths{.rows = 3, .steps = 1, .entries = {0.1, 0.1, 0.1}};
  const long double tenth = 0.1;
  CHECK(static_cast<long double>(matrix_sensitivity(tenths)) >= std::sqrt(3 * tenth * tenth));
  CHECK_REL(matrix_sensitivity(tenths), std::sqrt(0.03), 1e-14);
  const StrategyMatrix cancelling{.rows = 2, .steps = 2, .entries = {1e8, 1e8, 1, -1}};
  CHECK(matrix_sensitivity(cancelling, {.participations = 2}) >= 2e8);
  const double attained = matrix_sensitivity_between(cancelling, {.participations = 2}).attained;
  CHECK(attained <= 2e8);
  CHECK_REL(attained, 2e8, 1e-14);
}

TEST_CASE("mechanisms.matrix_sensitivity.refused") {
  const StrategyMatrix one{.rows = 1, .steps = 1, .entries = {1}};
  CHECK_REFUSED(matrix_sensitivity({}), "number of rows is 0");
  CHECK_REFUSED(matrix_sensitivity({.rows = 1, .steps = 2, .entries = {1}}), "number of entries is 1");
  CHECK_REFUSED(matrix_sensitivity({.rows = 1, .steps = 1, .entries = {std::nan("")}}), "entry is nan");
  CHECK_REFUSED(matrix_sensitivity({.rows = 1, .steps = 1, .entries = {0}}), "largest entry is 0");
  CHECK_REFUSED(matrix_sensitivity({.rows = 1, .steps = 1, .entries = {1e-145}}), "bound");
  CHECK_REFUSED(matrix_sensitivity({.rows = 1, .steps = 1, .entries = {1e200}}), "bound is inf");
  CHECK_REFUSED(matrix_sensitivity(one, {.participations = 0}), "participations is 0");
  CHECK_REFUSED(matrix_sensitivity(one, {.min_separation = 1.5}), "min_separation is 1.5");
}

}  // namespace
}  // namespace pld
