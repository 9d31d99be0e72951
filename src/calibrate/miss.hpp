#pragma once

#include <algorithm>
#include <cmath>

#include "pld/core/rounding.hpp"

namespace pld {

/// How far a probability is above its limit, both by their logarithms, on a scale on which it is nearly linear in the
/// logarithm of noise or count (Gaussian tails: -log delta ~ noise^2). Positive where the limit is missed, never 0.
inline double miss(double log_value, double log_limit) {
  constexpr double least = 1e-15;
  if (log_limit == -infinity) return log_value == -infinity ? -1 : 1;
  const auto scaled = [](double log_of) { return std::log(std::clamp(-log_of, 1e-12, 1e9)); };
  const double difference = scaled(log_limit) - scaled(log_value);
  return log_value <= log_limit ? std::min(difference, -least) : std::max(difference, least);
}

}  // namespace pld
