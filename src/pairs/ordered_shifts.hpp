#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pairs/ordered_law.hpp"
#include "pld/pairs/symmetric_noise.hpp"

namespace pld {

/// The ordered family of a pair that moves noise by a shift, the first of `sizes`: what other pairs of noise of that
/// name belong to as well. `what` tells pairs apart that move it otherwise. None of noise without a name, and none of
/// bounded noise, whose mass at infinity changes with the shift.
inline std::optional<OrderedLaw> ordered_by_shift(const SymmetricLogConcaveNoise& noise, const std::string& what,
                                                  std::vector<double> sizes,
                                                  std::function<PairPtr(const std::vector<double>&)> of_sizes) {
  const std::string name = noise.name();
  if (name.empty() || noise.largest() < infinity) return std::nullopt;
  return OrderedLaw{name + what, std::move(sizes), std::move(of_sizes)};
}

}  // namespace pld
