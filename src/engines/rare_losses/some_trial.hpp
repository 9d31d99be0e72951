#pragma once

#include <algorithm>
#include <cmath>

#include "numeric/log_doubt.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

/// log(1 - prod (1 - e^{x_j})^{k_j}): the probability that something of log probability x_j happens in one of k_j
/// trials.
class SomeTrial {
 public:
  void add(double log_probability, double count) {
    if (log_probability == -infinity) return;
    const double x = std::min(log_probability, 0.0), none = count * std::log1p(-std::exp(x));
    // 16 u (1 + |x|) of a mass, the roundings of exponential and logarithm, and of the sum.
    const double relative = doubt(x, 24);
    relative_ = std::max(relative_, relative);
    none_doubt_ += relative * count / std::expm1(-x) + 4 * unit_roundoff * (std::fabs(none) + std::fabs(log_none_));
    log_none_ += none;
    log_expected_ = log_sum(log_expected_, std::log(count) + x);
    ++kinds_;
  }
  /// log of the probability that nothing happens.
  [[nodiscard]] Bracket log_none() const {
    if (!(none_doubt_ < infinity)) return {-infinity, log_none_, 0};
    return {log_none_ - none_doubt_, log_none_, std::min(0.0, log_none_ + none_doubt_)};
  }
  /// That something does: no less accurate than the probabilities.
  [[nodiscard]] Bracket log_some() const {
    // Where next to nothing is expected, m of it: m - m^2 / 2 <= some <= m, and m may be below the range of a double.
    const double value = log_expected_ < -80 ? log_expected_ : std::log(-std::expm1(log_none_));
    if (value == -infinity) return {value, value, value};
    const double off = relative_ + doubt(value, 8 + 2 * kinds_);
    return {value - off, value, std::min(0.0, value + off)};
  }

 private:
  double log_none_ = 0, none_doubt_ = 0, relative_ = 0, log_expected_ = -infinity;
  double kinds_ = 0;
};

}  // namespace pld
