#include "readout/convex_minimum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// The chord from `far` through `near`, drawn out beyond `near`: a lower bound there. None (-inf) where the two are one
/// point, or where one of them is infinite.
class Chord {
 public:
  Chord(const ConvexReading& far, const ConvexReading& near)
      : near_(near),
        slope_((near.lower - far.upper) / (near.x - far.x)),
        size_(std::fabs(near.lower) + std::fabs(far.upper)),
        length_(std::fabs(near.x - far.x)) {}

  [[nodiscard]] double at(double x) const {
    const double rounding = 8 * unit_roundoff * size_ * (1 + std::fabs(x - near_.x) / length_);
    const double value = near_.lower + slope_ * (x - near_.x) - rounding;
    return std::isnan(value) ? -infinity : value;
  }
  [[nodiscard]] double crossing(const Chord& other) const {
    return ((other.near_.lower - other.slope_ * other.near_.x) - (near_.lower - slope_ * near_.x)) /
           (slope_ - other.slope_);
  }

 private:
  ConvexReading near_;
  double slope_, size_, length_;
};

LeastBound lesser(const LeastBound& a, const LeastBound& b) { return b.value < a.value ? b : a; }

/// A lower bound on the least of the larger chord over [from, to], by parts on either side of where they cross: over a
/// part a line is at least the lesser one of its ends, wherever rounding has moved the crossing.
LeastBound least_above(const Chord& a, const Chord& b, double from, double to) {
  const double crossing = a.crossing(b);
  const double middle = std::isnan(crossing) ? from : std::clamp(crossing, from, to);
  const auto least_over = [&](double left, double right) {
    return std::max(std::min(a.at(left), a.at(right)), std::min(b.at(left), b.at(right)));
  };
  return {std::min(least_over(from, middle), least_over(middle, to)), middle};
}

/// Readings of one or of two functions, in order.
class Readings {
 public:
  Readings(std::span<const ConvexReading> at, std::size_t seam) : at_(at), seam_(seam) {}

  [[nodiscard]] bool are_of_one(std::size_t i, std::size_t j) const { return (i < seam_) == (j < seam_); }

  /// The highest at the reading behind `last` of the chords that end at or before it.
  [[nodiscard]] Chord from_left(std::size_t last) const {
    const double next = at_[last + 1].x;
    if (last < seam_) return highest(0, last, last, next);
    const Chord own = highest(seam_, last, last, next);
    return seam_ == 0 ? own : higher(own, highest(0, seam_ - 1, seam_ - 1, next), next);
  }
  /// The same from the right, at the reading before `first`.
  [[nodiscard]] Chord from_right(std::size_t first) const {
    const double next = at_[first - 1].x;
    if (first >= seam_) return highest(first + 1, at_.size(), first, next);
    const Chord own = highest(first + 1, seam_, first, next);
    return seam_ == at_.size() ? own : higher(own, highest(seam_ + 1, at_.size(), seam_, next), next);
  }

 private:
  static Chord higher(const Chord& a, const Chord& b, double x) { return b.at(x) > a.at(x) ? b : a; }

  /// The highest of the chords to `near`, none with no other reading: without noise the one from its neighbour, which
  /// noise makes worthless where the gap is much longer than the chord.
  [[nodiscard]] Chord highest(std::size_t first, std::size_t end, std::size_t near, double next) const {
    Chord best(at_[near], at_[near]);
    for (std::size_t far = first; far < end; ++far) best = higher(best, Chord(at_[far], at_[near]), next);
    return best;
  }

  std::span<const ConvexReading> at_;
  std::size_t seam_;
};

}  // namespace

LeastBound convex_minimum(std::span<const ConvexReading> at, std::size_t lowest, double beyond_right,
                          std::size_t seam) {
  const std::size_t last = at.size() - 1;
  const Readings readings(at, seam);
  // Beyond a reading that lies above an inner one of its function, this is at least what it is there.
  const auto rises = [&](std::size_t outer, std::size_t nearest_seam) {
    return at[outer].lower > at[readings.are_of_one(outer, lowest) ? lowest : nearest_seam].upper;
  };
  constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
  if (!rises(1, seam - 1)) return {-infinity, nowhere};
  if (!rises(last - 1, seam)) return {std::min(readings.from_left(1).at(at[lowest].x), beyond_right), nowhere};
  LeastBound left{at[1].lower, at[1].x}, right{at[last - 1].lower, at[last - 1].x};
  for (std::size_t i = 1; i + 2 <= last; ++i) {
    LeastBound& side = i < lowest ? left : right;
    side = lesser(side, least_above(readings.from_left(i), readings.from_right(i + 1), at[i].x, at[i + 1].x));
  }
  return lesser(left, {std::max(right.value, beyond_right), right.x});
}

}  // namespace pld
