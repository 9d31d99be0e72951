#pragma once

#include <functional>

#include "pld/compose/profile_bracket.hpp"

namespace pld {

/// The line of slope -e^epsilon below a trade-off function that is highest at some alpha, as logarithms: its power there
/// delta(epsilon) + e^epsilon alpha, and type II error 1 less that.
struct SupportingLine {
  double epsilon = 0;
  Bracket log_power, log_beta;
};

/// What a line is read from: the profile of (P, Q) at an epsilon and, at a negative one, that of (Q, P) at -epsilon.
struct LineProfile {
  ProfileBracket profile;
  Bracket opposite_log_delta;
};

/// What is known of the profile's right end.
struct ProfileEnd {
  double log_infinity = 0;   ///< log of a lower bound of its limit at epsilon = +inf
  double largest_loss = 0;   ///< where it has come down to that; +inf: nowhere
};

/// Certified: the least power of all lines. `profile(epsilon)` is that of a pair (of two, their maximum). The search begins near `start` with steps of `scale` > 0. 0 < alpha < 1.
[[nodiscard]] SupportingLine lowest_line(const std::function<LineProfile(double)>& profile, const ProfileEnd& end, double alpha,
                                         double start, double scale);

}  // namespace pld
