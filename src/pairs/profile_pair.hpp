#pragma once

#include <memory>
#include <vector>

#include "pairs/atomic_pair.hpp"

namespace pld {

/// delta(epsilon) <= e^log_delta.
struct ProfilePoint {
  Extended epsilon = 0;  ///< finite, >= 0
  Extended log_delta = 0;
};

/// The pair with the largest profile that both orders of all neighbours may have: H_{e^epsilon} is convex in e^epsilon,
/// 1 at 0 and does not grow. Swapping the pair turns delta(epsilon) into 1 - e^-epsilon + e^-epsilon delta(epsilon) at
/// -epsilon. So it is the convex minorant of these points, the piecewise linear one through some of them. The pair is
/// symmetric and has that profile to 8 u (1 + |log delta|), which is within the accuracy of an AtomicPair's masses.
/// Only where slopes are so near each other that their differences lose more are the points' deltas raised, by a part
/// in 1e13 or so.
[[nodiscard]] std::shared_ptr<const AtomicPair> pair_of_profile(std::vector<ProfilePoint> points);

}  // namespace pld
