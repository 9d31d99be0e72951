#pragma once

#include "pairs/renyi_curve.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/profile_bracket.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

/// The profile that a Renyi curve's conversion (log_delta_of_renyi()) gives in either direction: brackets of that
/// bound, not of the profile of what has the curve. Near epsilon = 0 the chord from a point to its mirror image, in
/// e^epsilon: profiles are convex, and either direction's is the other's mirror image.
class RenyiProfile {
 public:
  explicit RenyiProfile(RenyiCurve curve);

  /// Any epsilon but NaN; below 0 by the other direction's, which has the same bound.
  [[nodiscard]] ProfileBracket at(double epsilon) const;

  /// Where it reaches delta, in [0, 1], to about the last digits; -inf for 1, +inf for 0.
  [[nodiscard]] Bracket epsilon(double delta) const;

 private:
  [[nodiscard]] ProfileBracket converted(double epsilon) const;

  RenyiCurve curve_;
  double centre_ = 0, log_slope_ = -infinity;  ///< 1 - delta >= e^log_slope (1 + e^epsilon) for |epsilon| <= centre
};

}  // namespace pld
