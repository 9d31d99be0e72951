#include "pld/pairs/dominating_pair.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/roundings.hpp"
#include "pairs/concentrated_slope.hpp"

namespace pld {

// E_Q e^{order z} = E_P e^{(order - 1) z}: at most the P mass, or for order < 0 the Q mass, at the range's end.
double DominatingPair::log_tail_moment(double order, double from) const {
  const bool right = order > 1;
  const LossCell beyond = right ? above(from) : below(std::nextafter(from, -infinity));
  if (beyond.log_mass == -infinity && beyond.log_q_mass == -infinity) return -infinity;
  const double end = right ? range().highest : range().lowest;
  if (std::isinf(end)) return infinity;
  const double log_mass = right ? beyond.log_mass : beyond.log_q_mass, power = right ? order - 1 : order;
  const double doubt = loss_error({end, end});
  // Carries 16 u (1 + |log mass|) of the mass, and rounds a product and three sums of such size by u each.
  return log_mass + power * end + std::fabs(power) * doubt + roundings(32, log_mass, power * end);
}

double DominatingPair::renyi_slope() const {
  const auto [lowest, highest] = range();
  const bool infinite = log_mass_at_plus_infinity() > -infinity || log_q_mass_at_minus_infinity() > -infinity;
  if (infinite || std::isinf(lowest) || std::isinf(highest)) return infinity;
  const double low = lowest - loss_error({lowest, lowest}), high = highest + loss_error({highest, highest});
  const double farthest = std::max({0.0, -low, high});
  return std::min(slope_of_pure_dp(farthest), slope_of_range(std::max(0.0, round_up(high - low))));
}

}  // namespace pld
