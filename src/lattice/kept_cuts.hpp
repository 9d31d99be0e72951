#pragma once

#include <map>
#include <memory>

#include "lattice/discretise.hpp"

namespace pld {

/// Each release of a composition as it was cut last: the other side takes the same cells, and so does a higher
/// precision. An object serves one thread.
class KeptCuts {
 public:
  /// The release as it is cut for a lattice, which takes points for its cells only where it was not cut so last. The
  /// release outlives this, and this what is returned until the release is cut again.
  [[nodiscard]] const CutLaw& of(const CutPair& release, double spacing, double tilt, double& points_left);

 private:
  struct Kept {
    LossRange cut;
    double cut_weight = 0, spacing = 0, tilt = 0;
    std::unique_ptr<CutLaw> law{};
  };
  std::map<const CutPair*, Kept> kept_;
};

}  // namespace pld
