#pragma once

#include "pld/core/rounding.hpp"

namespace pld {

/// Where a profile is read, and how well.
struct ProfilePlace {
  double epsilon = 0;
  double log_width =
      -infinity;  ///< logarithm of the absolute width of delta that will do; -inf: what the profile's tolerance says
  double log_floor = -infinity;  ///< where log delta turns out to be below it an upper bound will do, at epsilon >= 0
};

}  // namespace pld
