#pragma once

#include <cmath>

#include "numeric/log_sum.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// One cell with the P and Q masses of both. The loss is reached from the nearer one by a step that is a sum of
/// positive terms, so that it keeps the accuracy of the two.
inline LossCell fused(const LossCell& low, const LossCell& high) {
  if (high.loss < low.loss) return fused(high, low);
  if (high.log_mass == -infinity) return low;
  if (low.log_mass == -infinity) return high;
  LossCell both{.log_mass = log_sum(low.log_mass, high.log_mass),
                .log_q_mass = log_sum(low.log_q_mass, high.log_q_mass)};
  // Upward by 1 + (1 - e^-gap) (P_high / Q) e^-low, downward by 1 + (1 - e^-gap) (Q_low / P) e^high: the product is
  // e^gap.
  const double share = -std::expm1(low.loss - high.loss);
  const double up = std::log1p(share * std::exp((high.log_mass - low.loss) - both.log_q_mass));
  const double down = std::log1p(share * std::exp((low.log_q_mass + high.loss) - both.log_mass));
  if (std::fmin(up, down) < infinity)
    both.loss = up <= down ? low.loss + up : high.loss - down;
  else
    both.loss = both.log_mass - both.log_q_mass;
  return both;
}

}  // namespace pld
