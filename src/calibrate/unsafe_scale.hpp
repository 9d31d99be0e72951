#pragma once

#include <algorithm>
#include <cmath>

#include "pld/calibrate/calibration.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

/// The scale that a search runs on: w rises toward the unsafe end, the logarithm of the unknown or minus that.
class UnsafeScale {
 public:
  explicit UnsafeScale(const Unknown& unknown) : unknown_(unknown) {
    const double ends[] = {w_of(unknown.lowest), w_of(unknown.highest)};
    safe_end_ = std::min(ends[0], ends[1]);
    unsafe_end_ = std::max(ends[0], ends[1]);
  }

  [[nodiscard]] double safe_end() const { return safe_end_; }
  [[nodiscard]] double unsafe_end() const { return unsafe_end_; }
  [[nodiscard]] bool whole() const { return unknown_.scale == Unknown::Scale::whole; }
  [[nodiscard]] double clamped(double w) const { return std::clamp(w, safe_end_, unsafe_end_); }

  [[nodiscard]] double w_of(double value) const {
    const double coordinate = odds() ? std::log(value * (unknown_.answers - 1) / (1 - value)) : value;
    return larger_is_safer() ? -std::log(coordinate) : std::log(coordinate);
  }
  [[nodiscard]] double value_of(double w) const {
    if (w >= unsafe_end_) return unknown_.unsafe_end();
    if (w <= safe_end_) return larger_is_safer() ? unknown_.highest : unknown_.lowest;
    const double coordinate = std::exp(larger_is_safer() ? -w : w);
    if (odds()) return 1 / (1 + (unknown_.answers - 1) * std::exp(-coordinate));
    // Whole numbers: the largest at or below, the one a rounding error above it included.
    if (whole()) return std::floor(coordinate * (1 + 4 * unit_roundoff));
    return coordinate;
  }

  /// Whole numbers: the place of the number `steps` closer to the unsafe end than the one at w.
  [[nodiscard]] double moved(double w, double steps) const {
    const double value = value_of(w) + (larger_is_safer() ? -steps : steps);
    return clamped(w_of(std::clamp(value, unknown_.lowest, unknown_.highest)));
  }
  /// How many whole numbers lie from one place to another.
  [[nodiscard]] double whole_steps(double from, double to) const { return std::fabs(value_of(to) - value_of(from)); }

 private:
  [[nodiscard]] bool odds() const { return unknown_.scale == Unknown::Scale::odds; }
  [[nodiscard]] bool larger_is_safer() const { return unknown_.safer == Unknown::Safer::larger; }

  const Unknown& unknown_;
  double safe_end_ = 0, unsafe_end_ = 0;
};

}  // namespace pld
