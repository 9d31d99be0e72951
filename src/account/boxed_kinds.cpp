#include "account/boxed_kinds.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "account/release_cells.hpp"

namespace pld {
namespace {

/// One of a box's releases: dominated by the largest sizes, and losing no less than the least ones.
Mechanism boxed(const BoundedRelease& remove, const BoundedRelease& apart, const std::string& text) {
  const BoundedRelease& add = remove.above->symmetric() ? remove : apart;
  const Law below{text + ", least", remove.below, add.below};
  Law above{text, remove.above, add.above};
  return Mechanism::of_law(text, remove.below == remove.above ? above : law_between(below, std::move(above)));
}

}  // namespace

double kinds_by_work(const Composition& composition) {
  constexpr double of_sampled_gaussian = 4;  // cells of it and of what takes little more are made side by side
  double kinds = 0;
  for (const Release& release : composition.releases())
    kinds += std::max(1.0, release.mechanism.pair(Direction::remove)->cell_cost() / of_sampled_gaussian);
  return kinds;
}

Composition with_few_kinds(const Composition& composition, double most) {
  const auto& releases = composition.releases();
  const double kinds = kinds_by_work(composition);
  constexpr std::size_t fewest = 8;
  if (kinds <= most || releases.size() <= fewest) return composition;
  double all = 0;
  for (const Release& release : releases) all += static_cast<double>(release.count);
  if (all > static_cast<double>(Composition::max_count)) return composition;  // they may be too many for a box
  Composition out(composition.neighbours());
  ReleaseCells boxes(std::max(fewest, static_cast<std::size_t>(most * static_cast<double>(releases.size()) / kinds)));
  for (const Release& release : releases) {
    // Gaussians without sampling are one to engines, exactly.
    if (ReleaseCells::takes(release.mechanism) && !JoinedGaussians::takes(release.mechanism))
      boxes.add(release.mechanism, release.count);
    else
      out.add(release.mechanism, release.count);
  }
  const std::vector<BoundedRelease> remove = boxes.releases(Direction::remove), add = boxes.releases(Direction::add);
  for (std::size_t i = 0; i < remove.size(); ++i)
    out.add(boxed(remove[i], add[i], "box " + std::to_string(i)), remove[i].count);
  return out;
}

}  // namespace pld
