#include "lattice/kept_cuts.hpp"

namespace pld {
const CutLaw& KeptCuts::of(const CutPair& release, double spacing, double tilt, double& points_left) {
  Kept& kept = kept_[&release];
  const bool same = kept.law && kept.cut.lowest == release.cut.lowest && kept.cut.highest == release.cut.highest &&
                    kept.cut_weight == release.cut_weight && kept.spacing == spacing && kept.tilt == tilt;
  if (!same) {
    kept.law = nullptr;
    kept = {release.cut, release.cut_weight, spacing, tilt,
            std::make_unique<CutLaw>(release, spacing, tilt, points_left)};
  }
  return *kept.law;
}

}  // namespace pld
