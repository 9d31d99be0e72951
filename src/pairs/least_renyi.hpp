#pragma once

#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// A pair of whose Renyi divergences a lower bound is known that costs nothing: where it is next to the upper one, no
/// cells are cut.
class KnownLeastRenyi {
 public:
  virtual ~KnownLeastRenyi() = default;

  /// A lower bound of the divergence of an order > 1.
  [[nodiscard]] virtual double least_renyi(double order) const = 0;
};

/// 0 where none is known.
[[nodiscard]] inline double least_renyi(const DominatingPair& pair, double order) {
  const auto* known = dynamic_cast<const KnownLeastRenyi*>(&pair);
  return known ? known->least_renyi(order) : 0;
}

}  // namespace pld
