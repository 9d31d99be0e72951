#pragma once

#include <optional>

#include "pld/mechanisms/mechanism.hpp"

namespace pld {

/// A scheme that draws each record's releases without looking at the data, `each` of them, and the laws of one record.
struct DrawnReleases {
  Mechanism base;
  double each = 1;
  Mechanism::Laws laws;
};

/// A bound of a group's law: that of Gaussian noise that is not sampled and moved by k sqrt(each) (docs/groups.md).
/// None of other noise.
[[nodiscard]] std::optional<Law> law_of_unsampled_group(const DrawnReleases& drawn, const Neighbours& neighbours);

}  // namespace pld
