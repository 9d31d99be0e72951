#include "lattice/kept_cuts.hpp"

#include <utility>

namespace pld {
namespace {

/// What a cell takes to be placed and to have its chords, in points.
constexpr double points_to_place = 8;

}  // namespace

LatticeMeasure KeptCuts::on_lattice(const CutPair& release, double spacing, double tilt, Side side,
                                    double& points_left) {
  constexpr std::size_t most = 1 << 20;  // 24 MB
  Kept& kept = kept_[&release];
  const bool same = kept.law && kept.cut.lowest == release.cut.lowest && kept.cut.highest == release.cut.highest &&
                    kept.cut_weight == release.cut_weight && kept.spacing == spacing && kept.tilt == tilt;
  if (!same) {
    if (kept.law) size_ -= kept.law->size();
    kept.law = nullptr;
    kept = {release.cut, release.cut_weight, spacing, tilt,
            std::make_unique<CutLaw>(release, spacing, tilt, points_left)};
    size_ += kept.law->size();
  }
  spend(points_to_place * static_cast<double>(kept.law->size()), points_left);
  if (size_ <= most) return kept.law->on_lattice(side);
  const auto law = std::move(kept.law);
  size_ -= law->size();
  return std::move(*law).on_lattice(side);
}

}  // namespace pld
