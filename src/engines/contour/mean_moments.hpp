#pragma once

#include <limits>

#include "engines/contour/ratio_moments.hpp"

namespace pld::contour {

/// What the integrals of an allocation are summed in: with a heavy tail, an answer is far below what is summed.
using Sharp = long double;
inline constexpr double unit_sharp = round_off<Sharp>;
/// What is left out is e^-this of the rest, or less.
inline constexpr double nats_to_nothing = 46;

/// log G(rho) of the moments G of a mean of ratios, and a bound on its error.
struct MeanMoment {
  Sharp log_moment = 0;
  double error = 0;
};

/// G(rho + is) / G(rho) = e^{log_size + i phase}.
struct MeanRatio {
  Sharp log_size = 0, phase = 0;
  double error = 0;  ///< relative
};

}  // namespace pld::contour
