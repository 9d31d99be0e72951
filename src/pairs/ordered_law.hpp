#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// A law of a family in which delta(epsilon) rises with every size, at every real epsilon: one whose sizes are all as
/// large or larger dominates. All of a family have the same mass at infinity.
struct OrderedLaw {
  std::string family;  ///< with the direction, where that matters: equal for laws that differ in their sizes only
  std::vector<double> sizes;  ///< > 0, finite
  std::function<PairPtr(const std::vector<double>&)> of_sizes;
};

/// What a DominatingPair that may belong to an ordered family is besides.
class FamilyMember {
 public:
  virtual ~FamilyMember() = default;
  [[nodiscard]] virtual std::optional<OrderedLaw> ordered() const = 0;
};

/// The pair's place in an ordered family, if it has one.
[[nodiscard]] inline std::optional<OrderedLaw> ordered_law(const DominatingPair& pair) {
  const auto* member = dynamic_cast<const FamilyMember*>(&pair);
  return member ? member->ordered() : std::nullopt;
}

}  // namespace pld
