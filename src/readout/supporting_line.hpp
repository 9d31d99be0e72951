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

/// Certified: the least power of all lines. `profile(epsilon)` is that of a pair (of two, their maximum), `log_infinity` the
/// log of a lower bound of its limit at epsilon = +inf. The search begins near `start` with steps of `scale` > 0.
[[nodiscard]] SupportingLine lowest_line(const std::function<ProfileBracket(double)>& profile, double log_infinity,
                                         double log_alpha, double start, double scale);

}  // namespace pld
