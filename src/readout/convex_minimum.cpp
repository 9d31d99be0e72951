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

/// The highest at `next` of the chords that end at `near`: without noise the one from its neighbour, which noise makes
/// worthless where the gap is much longer than the chord.
Chord best_chord(std::span<const ConvexReading> behind, const ConvexReading& near, const ConvexReading& next) {
  Chord best(behind.front(), near);
  for (const ConvexReading& far : behind.subspan(1))
    if (const Chord chord(far, near); chord.at(next.x) > best.at(next.x)) best = chord;
  return best;
}

}  // namespace

LeastBound convex_minimum(std::span<const ConvexReading> at, std::size_t lowest, double beyond_right) {
  const std::size_t last = at.size() - 1;
  const bool rises_left = at[1].lower > at[lowest].upper, rises_right = at[last - 1].lower > at[lowest].upper;
  constexpr double nowhere = std::numeric_limits<double>::quiet_NaN();
  if (!rises_left) return {-infinity, nowhere};
  if (!rises_right) return {std::min(Chord(at[0], at[1]).at(at[lowest].x), beyond_right), nowhere};
  LeastBound left{infinity, nowhere}, right{infinity, nowhere};
  for (std::size_t i = 1; i + 2 <= last; ++i) {
    LeastBound& side = i < lowest ? left : right;
    const ConvexReading &from = at[i], &to = at[i + 1];
    const Chord before = best_chord(at.first(i), from, to), behind = best_chord(at.subspan(i + 2), to, from);
    side = lesser(side, least_above(before, behind, from.x, to.x));
  }
  return lesser(left, {std::max(right.value, beyond_right), right.x});
}

}  // namespace pld
