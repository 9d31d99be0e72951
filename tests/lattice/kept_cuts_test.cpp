// What was cut for one side of the lattice serves the other; whatever a cut depends on makes it anew.
#include "lattice/kept_cuts.hpp"

#include <utility>
#include <vector>

#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace pld::test {
namespace {

TEST_CASE("lattice.kept_cuts.a_law_is_cut_once_and_anew_where_anything_changed") {
  const PairPtr pair = Mechanism(Laplace{.scale = 2}).pair(Direction::remove);
  CutPair release{.pair = pair, .cut = {-0.5, 0.5}, .cumulant = {pair->outline(), 0.5}};
  KeptCuts kept;
  double spent_before = 0, points = 1e9;
  const auto taken = [&] { return std::exchange(spent_before, 1e9 - points) != 1e9 - points; };
  const auto as_if_new = [&](double spacing, double tilt, Side side) {
    double others = 1e9;
    const LatticeMeasure found = kept.on_lattice(release, spacing, tilt, side, points);
    const LatticeMeasure anew = CutLaw(release, spacing, tilt, others).on_lattice(side);
    CHECK(found.first == anew.first);
    CHECK(found.weights == anew.weights);
  };
  as_if_new(1e-3, 0, Side::upper);
  CHECK(taken());
  as_if_new(1e-3, 0, Side::lower);
  CHECK_FALSE(taken());
  as_if_new(2e-3, 0, Side::lower);
  CHECK(taken());
  as_if_new(2e-3, 1, Side::lower);
  CHECK(taken());
  release.cut.highest = 0.25;
  as_if_new(2e-3, 1, Side::lower);
  CHECK(taken());
  release.cut.lowest = -0.25;
  as_if_new(2e-3, 1, Side::lower);
  CHECK(taken());
  release.cut_weight = 0.5;
  as_if_new(2e-3, 1, Side::upper);
  CHECK(taken());
}

}  // namespace
}  // namespace pld::test
