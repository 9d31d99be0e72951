#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/side.hpp"
#include "numeric/log_doubt.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

/// A bound of a number x >= 0 from one side, told by its logarithm. It carries its own error: each operation moves what
/// it gives to that side by all that it rounds. What it takes is a bound from the same side, or exact.
class LogBound {
 public:
  LogBound(double log, Side side) : log_(log), side_(side) {}

  [[nodiscard]] double log() const { return log_; }
  /// The same of an x that is no more than 1.
  [[nodiscard]] double log_probability() const { return std::min(0.0, log_); }

  /// x + y. log_sum() is right to 2 u (1 + |result|).
  [[nodiscard]] LogBound plus(double log_y) const {
    const double sum = log_sum(log_, log_y);
    return moved(sum, 4 * u + 4 * u * std::fabs(sum));
  }
  /// x y, of a y whose logarithm is right to two roundings; 0 for x = 0, and what is too small for a double no less
  /// than the least one from above.
  [[nodiscard]] LogBound times(double log_y) const {
    if (log_ == -infinity) return *this;
    const bool vanishes = side_ == Side::lower || log_y == -infinity;
    const double product = std::max(log_ + log_y, vanishes ? -infinity : std::numeric_limits<double>::lowest());
    return moved(product, 2 * u * std::fabs(product) + 2 * u * std::fabs(log_y));
  }
  /// x - y, with y bounded from the other side. log_difference() takes 4 roundings of logarithms up to |log x| +
  /// |result|.
  [[nodiscard]] LogBound less(double log_y) const {
    const double difference = log_difference(log_, log_y);
    return log_y == -infinity ? *this
                              : moved(difference, 8 * u + 8 * u * std::fabs(log_) + 8 * u * std::fabs(difference));
  }
  /// 1 - x, from the other side, of an x whose logarithm is right to two roundings; near 1 to a share of how near, and
  /// from below less than 1 unless x is 0.
  [[nodiscard]] LogBound one_less() const {
    const LogBound rest(log_one_minus_exp(log_), opposite(side_));
    const double size = std::fabs(rest.log_), of_x = log_ > -infinity ? 4 * u * std::fabs(log_) * size : 0;
    const double step = side_ == Side::lower ? smallest_steps(rest.log_)
                        : log_ > -infinity   ? 4 * std::numeric_limits<double>::denorm_min()
                                             : 0;
    return rest.moved(rest.log_, 8 * u * size + (size < 0.5 ? 0 : 8 * u) + of_x).widened(step);
  }
  /// Moved by more that its logarithm is off by.
  [[nodiscard]] LogBound widened(double error) const { return {log_ + (side_ == Side::upper ? error : -error), side_}; }

 private:
  static constexpr double u = unit_roundoff;  ///< multiplies a size before anything else does, so that none overflows

  [[nodiscard]] LogBound moved(double log, double error) const {
    return std::isfinite(log) ? LogBound(log, side_).widened(error) : LogBound(log, side_);
  }

  double log_;
  Side side_;
};

/// What a pair tells of a mass holds it, moved by mass_error().
[[nodiscard]] inline LogBound bound_of_mass(double log_mass, Side side) {
  return log_mass == -infinity ? LogBound(log_mass, side) : LogBound(log_mass, side).widened(mass_error(log_mass));
}

}  // namespace pld
