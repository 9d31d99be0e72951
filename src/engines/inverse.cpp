#include "engines/inverse.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "engines/search.hpp"
#include "lattice/lattice_profile.hpp"
#include "numeric/log_doubt.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

struct Reading {
  double epsilon = 0;
  Bracket excess;
};

/// How steeply the logarithm falls between two readings; none where that is no positive number.
std::optional<double> slope_between(const Reading& a, const Reading& b) {
  const double slope = (a.excess.estimate - b.excess.estimate) / (b.epsilon - a.epsilon);
  return slope > 0 && slope < infinity ? std::optional(slope) : std::nullopt;
}

/// Reads how far a profile is above a level, and keeps what was read last.
class Readings {
 public:
  Readings(const ReadProfile& read, double log_delta) : read_(read), level_(log_delta) {}

  Reading at(double epsilon) {
    const std::size_t kept = std::min(done_, kept_.size());
    for (std::size_t i = 0; i < kept; ++i)
      if (kept_[i].epsilon == epsilon) return kept_[i];
    return kept_[done_++ % kept_.size()] = {epsilon, level_.excess(read_(epsilon))};
  }

 private:
  const ReadProfile& read_;
  Level level_;
  std::array<Reading, 64> kept_;
  std::size_t done_ = 0;
};

/// About where the profile is at the level, and how steep it is there, if that is known.
struct Root {
  Reading at;
  std::optional<double> slope;

  [[nodiscard]] bool is_found() const { return std::fabs(at.excess.estimate) <= at.excess.width(); }
};

/// By a short step for the slope and secant steps on the estimates, until they are lost in the width of what is read.
Root root_near(double near, Readings& readings) {
  constexpr int most_steps = 12;
  constexpr double first_step = 1e-6, lost = 0.05, longest = 4;
  Root root{readings.at(near), std::nullopt};
  double by = std::copysign(first_step * std::max(std::fabs(near), 1.0), root.at.excess.estimate);
  for (int i = 0; i < most_steps; ++i) {
    const Reading next = readings.at(root.at.epsilon + by);
    if (const auto slope = slope_between(root.at, next)) root.slope = slope;
    if (std::fabs(next.excess.estimate) < std::fabs(root.at.excess.estimate)) root.at = next;
    const double excess = root.at.excess.estimate, most = longest * std::max(1.0, std::fabs(root.at.epsilon));
    if (!root.slope || !(std::fabs(excess) > lost * root.at.excess.width())) break;
    by = std::clamp(excess / *root.slope, -most, most);
    if (!(std::fabs(by) > 4 * unit_roundoff * std::fabs(root.at.epsilon))) break;
  }
  return root;
}

/// How far from the root its ends are likely to be.
double likely_reach(const Root& root) {
  constexpr double least = 1e-300, unknown = 1e-6;
  const double epsilon = std::fabs(root.at.epsilon);
  const double off = 0.6 * root.at.excess.width() + std::fabs(root.at.excess.estimate),
               reach = off / root.slope.value_or(0);
  return reach < infinity ? reach + 4 * unit_roundoff * epsilon + least : std::max(unknown, unknown * epsilon);
}

/// What part of its width, or of a nat of delta, a bracket may be wider for the search.
constexpr double small_part = 1.0 / 64;

/// The upper (side 1) or lower end (side -1) from a root by steps along the slope, each to a little beyond; none where
/// they do not lead there.
std::optional<double> end_by_slope(const Root& root, int side, Readings& readings) {
  constexpr int most_steps = 5;
  Reading here = root.at;
  std::optional<double> slope = root.slope;
  for (int i = 0; i < most_steps && slope; ++i) {
    const double excess = side > 0 ? here.excess.upper : here.excess.lower;
    // Across a jump a slope says nothing of how near an end is: then it counts for no more than the part.
    const double last_digits = std::min(small_part, 4 * unit_roundoff * std::fabs(here.epsilon) * *slope);
    const double enough = small_part * std::min(1.0, here.excess.width()) + last_digits;
    if (!(enough < infinity && std::fabs(excess) < infinity)) break;
    const double beyond = -side * excess;
    if (0 <= beyond && beyond <= enough) return here.epsilon;
    const Reading next = readings.at(here.epsilon + (excess + side * enough / 2) / *slope);
    slope = slope_between(here, next);
    here = next;
  }
  return std::nullopt;
}

/// The end of a bracket on one side of a root, by the slope or else searched from a place outside it; `other` is the
/// bracket's other end, if that is known.
double end_from(const Root& root, double outside, int side, double other, Readings& readings) {
  if (const auto found = end_by_slope(root, side, readings)) return *found;
  const auto excess = [&](double epsilon) {
    const Bracket found = readings.at(epsilon).excess;
    return side > 0 ? found.upper : found.lower;
  };
  const auto close = [&](double a, double b) {
    const double log_width = std::min({1.0, readings.at(a).excess.width(), readings.at(b).excess.width()});
    const double width = std::isfinite(other) ? std::min(std::fabs(other - a), std::fabs(other - b)) : 0;
    return excess(a) - excess(b) <= small_part * log_width ||
           b - a <= std::max(small_part * width, 4 * unit_roundoff * std::fabs(b));
  };
  const auto [above, beyond] = crossing(excess, outside, likely_reach(root), close);
  return side > 0 ? beyond : above;
}

}  // namespace

Level::Level(double log_delta)
    : log_delta_(log_delta), log_complement_(log_one_minus_exp(log_delta)), by_delta_(log_delta < log_complement_) {
  // A logarithm is off by a unit in its last place; log(1 - delta) by what it is made of too.
  rounding_ = by_delta_ ? doubt(log_delta_, 3) : doubt(log_complement_, 8);
}

Bracket Level::excess(const ProfileBracket& profile) const {
  const Bracket &delta = profile.log_delta, &rest = profile.log_complement;
  if (by_delta_)
    return {delta.lower - log_delta_ - rounding_, delta.estimate - log_delta_, delta.upper - log_delta_ + rounding_};
  return {log_complement_ - rest.upper - rounding_, log_complement_ - rest.estimate,
          log_complement_ - rest.lower + rounding_};
}

Bracket epsilon_where(const ReadProfile& read, double log_delta, double near) {
  constexpr double farthest = 1e300;
  Readings readings(read, log_delta);
  Root root = root_near(std::clamp(near, -farthest, farthest), readings);
  const double upper = end_from(root, root.at.epsilon, +1, infinity, readings);
  if (!root.is_found() && upper < infinity) root = root_near(upper, readings);
  const double epsilon = root.at.epsilon;
  // From outside: farther in a certified reading may say less.
  const double lower = end_from(root, upper < infinity ? std::max(upper, epsilon) : epsilon, -1, upper, readings);
  const bool inside = root.is_found() && lower <= epsilon && epsilon <= upper;
  return {lower, inside ? epsilon : estimate_between(lower, upper), upper};
}

}  // namespace pld
