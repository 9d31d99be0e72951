#pragma once

#include <memory>
#include <vector>

#include "atomic_pair.hpp"

namespace pld {

/// delta(epsilon) <= e^log_delta.
struct ProfilePoint {
  double epsilon = 0;  ///< finite, >= 0
  double log_delta = 0;
};

/// The pair with the largest profile that both orders of all neighbours may have: H_{e^epsilon} is convex in e^epsilon, 1 at 0,
/// does not grow, and swapping the pair turns delta(epsilon) into 1 - e^-epsilon + e^-epsilon delta(epsilon) at -epsilon, so
/// that it is the convex minorant of these points (the piecewise linear one through some of them). The points' deltas are
/// raised by a part in 1e12 or so, to cover rounding; the pair is symmetric.
[[nodiscard]] std::shared_ptr<const AtomicPair> pair_of_profile(std::vector<ProfilePoint> points);

}  // namespace pld
