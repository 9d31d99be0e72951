// What was cut for one side of the lattice serves the other; whatever a cut depends on makes it anew.
#include "lattice/kept_cuts.hpp"

#include <vector>

#include "pld/pld.hpp"
#include "support/checks.hpp"

namespace pld::test {
namespace {

TEST_CASE("lattice.kept_cuts.a_law_is_cut_once_and_anew_where_anything_changed") {
  const PairPtr pair = Mechanism(Laplace{.scale = 2}).pair(Direction::remove);
  CutPair release{.pair = pair, .cut = {-0.5, 0.5}, .cumulant = {pair->outline(), 0.5}};
  KeptCuts kept;
  double points = 1e9;
  /// Whether it took what a cut takes.
  const auto cuts_anew = [&](double spacing, double tilt, Side side) {
    const double before = points;
    double others = 1e9;
    const LatticeMeasure found = kept.of(release, spacing, tilt, points).on_lattice(side);
    const LatticeMeasure anew = CutLaw(release, spacing, tilt, others).on_lattice(side);
    CHECK(found.first == anew.first);
    CHECK(found.weights == anew.weights);
    CHECK((before == points || before - points == 1e9 - others));
    return points < before;
  };
  CHECK(cuts_anew(1e-3, 0, Side::upper));
  CHECK_FALSE(cuts_anew(1e-3, 0, Side::lower));
  CHECK(cuts_anew(2e-3, 0, Side::lower));
  CHECK(cuts_anew(2e-3, 1, Side::lower));
  release.cut.highest = 0.25;
  CHECK(cuts_anew(2e-3, 1, Side::lower));
  release.cut.lowest = -0.25;
  CHECK(cuts_anew(2e-3, 1, Side::lower));
  release.cut_weight = 0.5;
  CHECK(cuts_anew(2e-3, 1, Side::upper));
}

}  // namespace
}  // namespace pld::test
