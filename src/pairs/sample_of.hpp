#pragma once

#include "pld/core/direction.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// A Poisson sample of another pair.
class SampleOf {
 public:
  virtual ~SampleOf() = default;
  [[nodiscard]] virtual const PairPtr& base() const = 0;
  [[nodiscard]] virtual double q() const = 0;
  [[nodiscard]] virtual Direction direction() const = 0;
};

}  // namespace pld
