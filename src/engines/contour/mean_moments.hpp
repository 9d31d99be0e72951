#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

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

/// What a sum is that may be off by so much. One that tells nothing is put at its error: off by that, itself and its
/// own error.
[[nodiscard]] inline MeanRatio ratio_of_sum(Sharp re, Sharp im, double off) {
  const Sharp size = std::hypot(re, im);
  const double found = static_cast<double>(size), least = std::max(off, 1e-300);
  if (found > least) return {std::log(size), std::atan2(im, re), 1.01 * off / found};
  return {std::log(static_cast<Sharp>(least)), 0, 3.03 * off / least};
}

/// A turn less whole ones.
[[nodiscard]] inline Sharp reduced_turn(Sharp turn) {
  const Sharp around = 2 * std::numbers::pi_v<Sharp>;
  return turn - around * std::round(turn / around);
}

/// The largest number no larger than x that has one leading bit and so many more: small multiples of it are doubles.
[[nodiscard]] inline double rounded_to_bits(double x, int more) {
  const double bit = std::exp2(std::floor(std::log2(x)) - more);
  return bit * std::floor(x / bit);
}

}  // namespace pld::contour
