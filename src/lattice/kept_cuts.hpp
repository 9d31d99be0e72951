#pragma once

#include <map>
#include <memory>

#include "lattice/discretise.hpp"

namespace pld {

/// Each release of a composition as it was cut last: the other side takes the same cells, and so does a higher
/// precision. An object serves one thread.
class KeptCuts {
 public:
  /// CutLaw::on_lattice_near_tilt() of the release, which takes points for its cells only where it is cut. The release
  /// outlives this.
  [[nodiscard]] LatticeMeasure on_lattice_near_tilt(const CutPair& release, double spacing, double tilt, Side side,
                                                    double& points_left);

 private:
  struct Kept {
    LossRange cut;
    double cut_weight = 0, spacing = 0, tilt = 0;
    std::unique_ptr<CutLaw> law{};
  };
  std::map<const CutPair*, Kept> kept_;
};

}  // namespace pld
