#pragma once

#include <cmath>

namespace pld {

/// e^x as std::exp has it. Where that is 0, which the library takes ten times as long to say, at once; 0 of NaN.
[[nodiscard]] inline double exp_or_zero(double x) {
  constexpr double least = -746;
  return x > least ? std::exp(x) : 0;
}

}  // namespace pld
