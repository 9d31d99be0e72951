#include "lattice/discretise.hpp"

#include <cmath>
#include <random>

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

}  // namespace
}  // namespace pld::test
