#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/side.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// How many spacings from zero nodes may be: beyond them they are no longer told apart.
inline constexpr double most_steps = 1e15;

/// Whether nodes so far apart are told apart all over a range of losses.
[[nodiscard]] inline bool reaches(double spacing, const LossRange& losses) {
  return std::max(std::fabs(losses.lowest), std::fabs(losses.highest)) < most_steps * spacing;
}

/// A non-negative measure on a lattice of losses, held tilted: the P mass at loss z_i = origin + (first + i) spacing is
/// weights[i] * exp(log_scale - tilt * z_i). With the tilt at the saddle point of a query the weights that matter
/// are of order one, so that round-off and wrap-around are relative to the answer itself.
struct LatticeMeasure {
  double tilt = 0;
  double spacing = 1;
  double origin = 0;       ///< position of index 0
  std::int64_t first = 0;  ///< index of weights[0]
  std::vector<double> weights;
  double log_scale = 0;

  // What this measure may be away from the one it stands for (an upper or lower measure in exact arithmetic).
  double slack = 0;      ///< sum of |difference| of weights, one-sided: mass missing <= slack, mass too much <= slack
  double pointwise = 0;  ///< besides: each weight alone is within this, and 2 u of itself
  double position_error = 0;  ///< every position is within this
  double log_scale_error = 0;

  /// Sum of width^2 / 4 over the intervals in which atoms were split from below: SplitExcess takes off what they add.
  double split_variance = 0;

  [[nodiscard]] double position(std::int64_t index) const { return origin + static_cast<double>(index) * spacing; }
};

/// Sum of weights (tilted mass), rounded to within 3 units of round-off.
[[nodiscard]] double total_weight(const LatticeMeasure& measure);

/// log of sum_i weights[i] e^{s z_i}, an upper bound (round-off included) for any finite s. -inf for a zero measure.
[[nodiscard]] double log_moment_upper(const LatticeMeasure& measure, double s);

}  // namespace pld
