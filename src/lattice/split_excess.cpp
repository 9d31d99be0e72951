#include "lattice/split_excess.hpp"

#include <algorithm>
#include <cmath>

#include "numeric/log_bound.hpp"
#include "numeric/well_above.hpp"

namespace pld {
namespace {

/// How many standard deviations of log R chords reach over: R is beyond with a chance of some e^-24.
constexpr double deviations = 7;

/// A few roundings of logarithms below 50.
constexpr double some_rounding = 1 + 1e-12;

}  // namespace

SplitExcess::SplitExcess(double variance)
    : variance_(variance),
      shift_up_(deviations * std::sqrt(variance)),
      width_(std::expm1(shift_up_)),
      shift_down_(-std::log1p(-std::min(width_, 0.9))) {}

// The least over s of (1 + w)^{-s} E R^{1 + tilt + s}; where that is no s >= 0, it is e^24 and more, far above any
// profile.
double SplitExcess::log_far_share(double tilt) const {
  const double exponent = -shift_up_ * shift_up_ / (2 * variance_) + (tilt + 0.5) * shift_up_;
  return well_above(exponent);
}

double SplitExcess::log_least(double log_here, double log_below, double log_above, double log_far) const {
  const double share = 0.5 * std::sqrt(std::expm1(variance_)) / width_ * some_rounding;
  // 1 - R <= y = -log R, and y e^{-s y} falls from 1 / s on: the least over s of l e^{-s l} E R^-s, l = -log(1 - w).
  const double beyond =
      shift_down_ / width_ * std::exp(-shift_down_ * shift_down_ / (2 * variance_) + shift_down_ / 2) * some_rounding;
  const LogBound others = LogBound(log_below, Side::upper)
                              .times(shift_up_)
                              .plus(LogBound(log_above, Side::upper).times(-shift_down_).log())
                              .times(std::log(share))
                              .plus(log_far);
  return LogBound(log_here, Side::lower)
      .less(others.log())
      .times(-std::log((1 - 2 * share + beyond) * some_rounding))
      .log();
}

}  // namespace pld
