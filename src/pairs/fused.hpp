#pragma once

#include <cmath>

#include "numeric/log_sum.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// One cell with the P and Q masses of both. The loss is reached from the lower one by a positive step, so that it
/// keeps the accuracy of the two.
inline LossCell fused(const LossCell& low, const LossCell& high) {
  if (high.loss < low.loss) return fused(high, low);
  if (high.log_mass == -infinity) return low;
  if (low.log_mass == -infinity) return high;
  const double log_mass = log_sum(low.log_mass, high.log_mass);
  const double log_q_mass = log_sum(low.log_q_mass, high.log_q_mass);
  const double gap = high.loss - low.loss,
               exponent = (high.log_mass - low.loss) - log_q_mass;  // of Q's share of `high`, times e^gap
  const double loss =
      exponent < 700 ? low.loss + std::log1p(std::exp(exponent) * -std::expm1(-gap)) : log_mass - log_q_mass;
  return {.loss = loss, .log_mass = log_mass, .log_q_mass = log_q_mass};
}

}  // namespace pld
