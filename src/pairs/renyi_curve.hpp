#pragma once

#include <functional>
#include <optional>

#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// A bound of the Rényi divergences of both orders of all neighbours: D_a <= at(a) for 1 < a <= highest_order. Bounds
/// of several releases add up (Mironov 2017, proposition 1).
struct RenyiCurve {
  std::function<double(double)> at;
  double highest_order = infinity;
  double slope = infinity;                  ///< D_a <= slope a for all a > 1
  std::optional<ExactSlope> exact_slope{};  ///< where at(a) is just that times a
};

}  // namespace pld
