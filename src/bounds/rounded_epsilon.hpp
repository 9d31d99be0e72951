#pragma once

#include "pld/core/rounding.hpp"

namespace pld::bounds {

/// An epsilon that a formula is off by `units` roundings, rounded up. That of what loses nothing is computed with zeros
/// alone, and stays 0.
[[nodiscard]] inline double rounded_epsilon(double epsilon, double units) {
  return epsilon == 0 ? 0 : round_up(epsilon, units);
}

}  // namespace pld::bounds
