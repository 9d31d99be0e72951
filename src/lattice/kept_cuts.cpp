#include "lattice/kept_cuts.hpp"

#include <utility>

namespace pld {

LatticeMeasure KeptCuts::on_lattice(const CutPair& release, double spacing, double tilt, Side side,
                                    double& points_left) {
  constexpr std::size_t most = 1 << 20;  // 24 MB
  Kept& kept = kept_[&release];
  const bool same = kept.law && kept.cut.lowest == release.cut.lowest && kept.cut.highest == release.cut.highest &&
                    kept.cut_weight == release.cut_weight && kept.spacing == spacing && kept.tilt == tilt;
  if (same) return kept.law->on_lattice(side);
  if (kept.law) size_ -= kept.law->size();
  kept.law = nullptr;
  auto law = std::make_unique<CutLaw>(release, spacing, tilt, points_left);
  if (size_ + law->size() > most) return std::move(*law).on_lattice(side);
  LatticeMeasure found = law->on_lattice(side);
  size_ += law->size();
  kept = {release.cut, release.cut_weight, spacing, tilt, std::move(law)};
  return found;
}

}  // namespace pld
