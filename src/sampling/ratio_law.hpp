#pragma once

#include <cstdint>
#include <vector>

#include "pld/core/rounding.hpp"

namespace pld {

/// A likelihood ratio R = dP/dQ under Q, or a sum of such, as atoms (r, Q mass), and what bounds it from one side
/// in convex order (docs/random_allocation.md): for every convex f, E f is at least (upper) or at most (lower) that of
/// the ratio it stands for, once each r is moved by up to `ratio_error` of itself. Masses are rounded to that side too.
struct RatioLaw {
  std::vector<double> ratios;       ///< >= 0, increasing
  std::vector<double> masses;       ///< Q's
  std::int64_t terms = 1;           ///< how many ratios are summed
  double log_infinite = -infinity;  ///< log of P's mass where Q has none, of one ratio
  double ratio_error = 0;
};

}  // namespace pld
