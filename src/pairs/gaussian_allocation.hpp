#pragma once

#include <algorithm>
#include <vector>

#include "pairs/term.hpp"
#include "pld/core/direction.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// The exact law that a pair on nodes stands for: the ratio of P to Q is a product of independent means, each of some
/// ratios of N(mu, 1) to N(0, 1) under N(0, 1). P and Q swapped for add.
struct GaussianAllocation {
  struct Mean {
    double steps = 1, count = 1;  ///< of so many ratios, so often

    bool operator==(const Mean&) const = default;
  };
  double mu = 0;
  std::vector<Mean> means{};
  Direction direction = Direction::remove;

  bool operator==(const GaussianAllocation&) const = default;
};

/// What such a pair is besides.
class StandsForAllocation {
 public:
  virtual ~StandsForAllocation() = default;
  /// Null where no such law is known.
  [[nodiscard]] virtual const GaussianAllocation* allocation() const = 0;
};

/// Null of other pairs.
[[nodiscard]] inline const GaussianAllocation* allocation_of(const DominatingPair& pair) {
  const auto* nodes = dynamic_cast<const StandsForAllocation*>(&pair);
  return nodes ? nodes->allocation() : nullptr;
}

[[nodiscard]] inline bool has_allocation(const Terms& terms) {
  return std::any_of(terms.begin(), terms.end(), [](const Term& term) { return allocation_of(*term.pair) != nullptr; });
}

}  // namespace pld
