#pragma once

namespace pld {

/// How much of log delta splits of a variance b take where it falls like -tilt epsilon, and add from above: r times a
/// second difference, and half of b at most.
[[nodiscard]] inline double split_loss(double variance, double tilt) { return 4 * variance * tilt * (1 + tilt); }

/// What connecting the dots may have added to a composed profile, to be taken off it again: a lower bound of the
/// profile of what was split, away from it by the second order of the spacing wherever the atoms lie.
///
/// Splitting keeps P and Q mass: given what a composition's outcome was, splits multiply its ratio Z = P / Q by a
/// random R of mean 1 under Q. With x = e^epsilon and 0 < w < 1, (Z R - x)_+ is convex in R: no more than its chords
/// from 1 to 1 - w and 1 + w, and what R has beyond. Taken in the mean, the profiles F of Z and G of Z R are
///     G(x) <= F(x) (1 - 2 r + p) + r ((1 + w) F(x / (1 + w)) + (1 - w) F(x / (1 - w))) + far,
/// r = E (R - 1)_+ / w at most, p = E (1 - R) / w over R < 1 - w, far what R > 1 + w adds. F <= G bounds F on the right
/// but at x itself.
///
/// The logarithm of one split's factor has two values d apart, d its interval's width: at any tilt its variance is at
/// most d^2 / 4. As E R = 1, this makes E R^m <= e^{b m (m - 1) / 2} for m outside (0, 1), b the sum of d^2 / 4.
class SplitExcess {
 public:
  /// Takes the sum b > 0.
  explicit SplitExcess(double variance);

  /// Whether the splits are small enough for anything to be left.
  [[nodiscard]] bool bounds() const { return shift_up_ < most_shift; }

  /// G is read besides that far below epsilon, log(1 + w), and that far above, -log(1 - w).
  [[nodiscard]] double below() const { return shift_up_; }
  [[nodiscard]] double above() const { return shift_down_; }

  /// What of the tilted mass E e^{tilt z} the splits may move up by more than log(1 + w), on the log scale, from above.
  [[nodiscard]] double log_far_share(double tilt) const;

  /// log F at epsilon from below, of log G there from below, and from above that of G further below and further above
  /// and of `far`.
  [[nodiscard]] double log_least(double log_here, double log_below, double log_above, double log_far) const;

 private:
  static constexpr double most_shift = 0.4;

  double variance_, shift_up_, width_, shift_down_;
};

}  // namespace pld
