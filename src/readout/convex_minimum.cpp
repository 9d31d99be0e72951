#include "convex_minimum.hpp"

#include <algorithm>
#include <cmath>

#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// The chord from `far` through `near`, drawn out beyond `near`: a lower bound there.
class Chord {
 public:
  Chord(const ConvexReading& far, const ConvexReading& near)
      : near_(near), slope_((near.lower - far.upper) / (near.x - far.x)),
        size_(std::fabs(near.lower) + std::fabs(far.upper)), length_(std::fabs(near.x - far.x)) {}

  [[nodiscard]] double at(double x) const {
    const double rounding = 8 * unit_roundoff * size_ * (1 + std::fabs(x - near_.x) / length_);
    return near_.lower + slope_ * (x - near_.x) - rounding;
  }
  [[nodiscard]] double crossing(const Chord& other) const {
    return ((other.near_.lower - other.slope_ * other.near_.x) - (near_.lower - slope_ * near_.x)) / (slope_ - other.slope_);
  }

 private:
  ConvexReading near_;
  double slope_, size_, length_;
};

/// Least of the larger chord over [from, to]: at an end or where they cross.
double least_above(const Chord& a, const Chord& b, double from, double to) {
  const auto larger = [&](double x) { return std::max(a.at(x), b.at(x)); };
  const double crossing = a.crossing(b), least = std::min(larger(from), larger(to));
  // Where rounding moves the crossing, the values beside it differ by that rounding times the slopes, within at()'s own.
  return crossing > from && crossing < to ? std::min(least, larger(crossing)) : least;
}

}  // namespace

double convex_minimum(std::span<const ConvexReading> at, std::size_t lowest, double beyond_right) {
  const std::size_t last = at.size() - 1;
  const bool rises_left = at[1].lower > at[lowest].upper, rises_right = at[last - 1].lower > at[lowest].upper;
  if (!rises_left) return -infinity;
  if (!rises_right) return std::min(Chord(at[0], at[1]).at(at[lowest].x), beyond_right);
  double left = infinity, right = infinity;
  for (std::size_t i = 1; i + 2 <= last; ++i) {
    double& side = i < lowest ? left : right;
    side = std::min(side, least_above(Chord(at[i - 1], at[i]), Chord(at[i + 2], at[i + 1]), at[i].x, at[i + 1].x));
  }
  return std::min(left, std::max(right, beyond_right));
}

}  // namespace pld
