#pragma once

#include <vector>

#include "core/side.hpp"
#include "pld/pairs/dominating_pair.hpp"
#include "sampling/node_map.hpp"
#include "sampling/ratio_law.hpp"

namespace pld {

/// With the logarithms of the nodes above 0 that the law was put on: none where its atoms are few, and kept.
struct PlacedRatio {
  RatioLaw law;
  std::vector<double> edges;
};

/// By increasing ratio, equal ones together.
void sort_atoms(RatioLaw& law);

/// The ratio of a pair, on about `count` nodes: as the map places them, by depth where that is empty.
[[nodiscard]] PlacedRatio ratio_of_pair(const DominatingPair& pair, Side side, int count, const NodeMap& map);

}  // namespace pld
