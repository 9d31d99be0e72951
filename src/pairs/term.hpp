#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// What an engine composes: one direction of one mechanism, count times.
struct Term {
  PairPtr pair;
  std::int64_t count = 1;
};
using Terms = std::vector<Term>;

[[nodiscard]] inline double log_count(const Term& term) { return std::log(static_cast<double>(term.count)); }

}  // namespace pld
