#pragma once

#include <optional>

#include "engines/contour/composed_moment.hpp"
#include "engines/contour/effort.hpp"
#include "engines/contour/saddle_point.hpp"
#include "engines/contour/vertical_line.hpp"
#include "numeric/log_range.hpp"

namespace pld::contour {

struct Profile {
  LogRange delta, complement;
};

/// The privacy profile near one epsilon: a vertical line through the saddle point of whichever quantity is the least
/// there, so that both delta and 1 - delta keep their relative accuracy.
class ContourCurve {
 public:
  /// Near `epsilon`. To full accuracy where that is cheap, else to about `tolerance`. std::nullopt: no line can be had.
  [[nodiscard]] static std::optional<ContourCurve> at_epsilon(const ComposedMoment& moment, double epsilon,
                                                              double tolerance, Effort effort);

  /// Near the epsilon at which the profile is delta, `start` of the result. In doubles: where those leave it too wide,
  /// `at_epsilon` has more to give.
  [[nodiscard]] static std::optional<ContourCurve> at_delta(const ComposedMoment& moment, double log_delta,
                                                            double tolerance, Effort effort);

  /// Chernoff's bound of delta by the saddle's tilt, and nothing from below. std::nullopt: it is none.
  [[nodiscard]] static std::optional<ContourCurve> by_bound(const ComposedMoment& moment, const SaddlePoint& saddle);

  [[nodiscard]] Profile profile(double epsilon) const { return profile_of(value(epsilon), epsilon); }

  /// d log delta / d epsilon and d log(1 - delta) / d epsilon, to first order: for Newton's method.
  struct Slopes {
    double delta = 0, complement = 0;
  };
  struct Tangent {
    Profile profile;
    Slopes slopes;
  };
  [[nodiscard]] Tangent tangent(double epsilon) const;

  [[nodiscard]] double start() const { return saddle_.epsilon; }
  [[nodiscard]] double tilt() const { return saddle_.lambda; }
  [[nodiscard]] Quantity quantity() const { return saddle_.quantity; }

 private:
  ContourCurve() = default;
  [[nodiscard]] static std::optional<ContourCurve> along(const ComposedMoment& moment, const SaddlePoint& saddle,
                                                         double tolerance, Effort effort);
  [[nodiscard]] LineValue value(double epsilon) const;
  /// How wide the wider of both logarithms is at the saddle's epsilon.
  [[nodiscard]] double width() const;
  [[nodiscard]] Profile profile_of(const LineValue& at, double epsilon) const;
  [[nodiscard]] Slopes slopes_of(const LineValue& at, const Profile& profile, double epsilon) const;
  void sharpen(const ComposedMoment& moment, double tolerance, Effort effort);
  [[nodiscard]] static std::optional<ContourCurve> without_reverse(ComposedMoment moment, double epsilon);

  SaddlePoint saddle_;
  std::optional<VerticalLine> line_;                       ///< none where a bound of the quantity is enough
  Bracket log_infinity_{-infinity, -infinity, -infinity};  ///< of P's mass where the loss is infinite
  double largest_ = infinity;  ///< that log delta may be: of masses rounded up it is more than 0
  double log_bound_ = 0;       ///< Chernoff's bound then, at the saddle's epsilon
};

}  // namespace pld::contour
