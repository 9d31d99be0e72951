#include "account/chord_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/log_sum.hpp"
#include "numeric/roundings.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

ProfileBracket chord_at(const BoundAt& low, double epsilon, const BoundAt& high) {
  if (epsilon >= high.epsilon) return high.bound;
  if (epsilon <= low.epsilon) return low.bound;
  const double log_all = log_one_minus_exp(low.epsilon - high.epsilon),
               log_low = log_one_minus_exp(epsilon - high.epsilon) - log_all,
               log_high = epsilon - high.epsilon + log_one_minus_exp(low.epsilon - epsilon) - log_all;
  const auto log_mean = [&](double at_low, double at_high) { return log_sum(log_low + at_low, log_high + at_high); };
  // Each log of a difference is right to some u of itself, and of epsilons that were rounded once.
  const double logs = std::fabs(log_all) + std::fabs(log_low) + std::fabs(log_high);
  const auto error = [&](double log_found) { return roundings(32, low.epsilon, high.epsilon, logs, log_found); };
  double log_delta = log_mean(low.bound.log_delta.upper, high.bound.log_delta.upper),
         log_rest = log_mean(low.bound.log_complement.lower, high.bound.log_complement.lower);
  if (std::isfinite(log_delta)) log_delta = std::min(0.0, log_delta + error(log_delta));
  if (std::isfinite(log_rest)) log_rest = std::min(log_rest, 0.0) - error(log_rest);
  // Near a delta of 0 its own complement keeps more digits.
  log_rest = std::max(log_rest, round_down(log_one_minus_exp(log_delta), 8));
  return {{log_delta, log_delta, log_delta}, {log_rest, log_rest, log_rest}};
}

double chord_epsilon(const EnoughFor& low, double delta, const EnoughFor& high) {
  if (!(high.epsilon < infinity)) return infinity;
  const double share = (delta - high.delta) / (low.delta - high.delta),
               moved = std::expm1(low.epsilon - high.epsilon) * share;
  if (!(1 + moved > 16 * unit_roundoff)) return high.epsilon;
  // Rounds `moved` by some u of itself, which log(1 + moved) carries divided by 1 + moved, and two sums.
  const double found = high.epsilon + std::log1p(moved);
  const double error = roundings(8, high.epsilon, found, 1 / (1 + moved));
  return std::min(high.epsilon, found + error);
}

}  // namespace pld
