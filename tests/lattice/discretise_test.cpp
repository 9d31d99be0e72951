#include "lattice/discretise.hpp"

#include <cmath>
#include <random>

#include "lattice/convolve.hpp"
#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace pld::test {
namespace {

// Half of the mass lies within the rounding of the largest loss, where nodes next to one another are told apart by the
// last bits of their indices.
TEST_CASE("lattice.discretise.keeps all mass at spacings next to the rounding of a loss") {
  const PairPtr pair = poisson_sampled(Gaussian{.sigma = 1e-4}, 0.10373).pair(Direction::add);
  const double highest = pair->range().highest, lowest = std::nextafter(highest, 0);
  const CutPair release{.pair = pair, .cut = {lowest, highest}, .cumulant = {pair->outline(), highest}};
  std::mt19937_64 random(5);
  for (int i = 0; i < 200; ++i) {
    const double spacing = highest / std::uniform_real_distribution(1e12, 9e14)(random);
    CAPTURE(spacing);
    double points = 1e9;
    const LatticeMeasure upper = CutLaw(release, spacing, 1, points).on_lattice(Side::upper);
    double mass = 0;
    for (std::size_t j = 0; j < upper.weights.size(); ++j)
      mass += upper.weights[j] * std::exp(upper.log_scale - upper.position(upper.first + static_cast<std::int64_t>(j)));
    CHECK(mass >= 1 - 1e-9);
    CHECK(mass <= 1 + 1e-9);
  }
}

// The losses before sampling are 1e18, known to 900: what that is, tilted, is no double. Weights became infinite, and
// their transform NaN, on whose powers seconds went.
TEST_CASE("lattice.discretise.weights_that_have_no_digits_are_all_slack") {
  const PairPtr pair = poisson_sampled(Gaussian{.sigma = 1e-9}, 1e-12).pair(Direction::add);
  const LossRange cut{5e-13, 1.0000000000005e-12};
  const CutPair release{.pair = pair, .cut = cut, .cumulant = {pair->outline(), cut.highest}};
  double points = 1e9;
  const CutLaw law(release, 1e-8, 2000, points);
  for (const Side side : {Side::lower, Side::upper}) {
    const LatticeMeasure measure = law.on_lattice(side);
    CHECK(measure.slack == infinity);
    for (const double weight : measure.weights) CHECK(weight == 0);
    const std::vector<Factor> factors{{&measure, 1'000'000'000}};
    const LatticeMeasure composed = convolve(factors, window_over(0, 1e-6, 0, 1e-8), Precision::standard);
    CHECK(composed.slack == infinity);
    CHECK(composed.pointwise < 1e-90);
  }
}

// The lattice was to hit the smallest loss, -1e27, which was cut off: its nodes were beyond any index.
TEST_CASE("lattice.discretise.an_edge_that_was_cut_off_is_not_aimed_at") {
  const PairPtr pair = make_mechanism("laplace", {{"scale", 1e-27}}).pair(Direction::remove);
  const CutPair release{.pair = pair, .cut = {-1, 1}, .cumulant = {pair->outline(), 1}};
  double points = 1e9;
  constexpr double spacing = 0.01;
  const CutLaw law(release, spacing, 1, points);
  for (const Side side : {Side::lower, Side::upper}) CHECK(std::fabs(law.on_lattice(side).origin) <= spacing);
}

// A window without a width asks for a spacing of zero, and that for 0 / 0 points: no work was told from what is left.
TEST_CASE("lattice.discretise.points_that_are_no_number_are_too_many") {
  double left = 1e9;
  CHECK_THROWS_AS(spend(std::nan(""), left), WorkSpent);
  CHECK(left == 1e9);
}

}  // namespace
}  // namespace pld::test
