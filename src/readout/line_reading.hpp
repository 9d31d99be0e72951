#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include "core/side.hpp"
#include "pld/core/profile_bracket.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

/// The line of slope -e^epsilon below a trade-off function that is highest at some alpha, as logarithms: its power
/// there delta(epsilon) + e^epsilon alpha, and type II error 1 less that.
struct SupportingLine {
  double epsilon = 0;
  Bracket log_power, log_beta;
};

/// What a line is read from: the profile of (P, Q) at an epsilon and, at a negative one, that of (Q, P) at -epsilon.
struct LineProfile {
  ProfileBracket profile;
  Bracket opposite_log_delta;
};

/// What is known of the profile's ends.
struct ProfileEnd {
  double log_infinity = 0;           ///< log of a lower bound of its limit at epsilon = +inf
  double largest_loss = 0;           ///< where it has come down to that; +inf: nowhere
  bool is_convex = true;             ///< the profile, in e^epsilon
  double smallest_loss = -infinity;  ///< up to where it falls by e^epsilon; -inf: nowhere
  double log_q_reached = 0;          ///< log of an upper bound of Q's mass where P has some
  std::optional<Side> rounded{};     ///< which bound the profile is for, where it is that of rounded masses
};

/// A line's power and type II error at alpha, as logarithms.
struct LineReading {
  double epsilon = 0;
  Bracket log_power, log_beta;

  static constexpr double no_error_left = 1e9;  ///< logit of a line that leaves no type II error at all

  /// Rises with the power and keeps its digits where that is near 0 or 1.
  [[nodiscard]] double logit() const {
    if (log_beta.estimate == -infinity) return no_error_left + epsilon;
    return log_power.estimate - log_beta.estimate;
  }
};

[[nodiscard]] LineReading line_reading(const LineProfile& from, double epsilon, double alpha);

/// Whichever of a line's power and type II error is the smaller at the middle one of several readings.
class SmallerOne {
 public:
  explicit SmallerOne(const LineReading& middle);

  [[nodiscard]] bool is_power() const { return is_power_; }
  [[nodiscard]] const Bracket& of(const LineReading& r) const { return is_power_ ? r.log_power : r.log_beta; }

  /// Whether a's power is certainly above b's. Where neither leaves any type II error that of power tells.
  [[nodiscard]] bool certainly_above(const LineReading& a, const LineReading& b) const {
    const bool by_power = is_power_ || b.log_beta.upper == -infinity;
    return by_power ? a.log_power.lower > b.log_power.upper : a.log_beta.upper < b.log_beta.lower;
  }

 private:
  bool is_power_;
};

struct CertifiedLine {
  SupportingLine line{0, {-infinity, -infinity, 0}, {-infinity, 0, 0}};
  double width = infinity;                                      ///< of the smaller one's logarithm
  double own_width = infinity;                                  ///< the lowest reading's own
  double excess = infinity;                                     ///< the width over that
  double lowest_at = std::numeric_limits<double>::quiet_NaN();  ///< the epsilon where the bound is the lowest, if any

  [[nodiscard]] bool good() const { return excess <= 6; }
};

/// Readings at increasing epsilons about the lowest one, two on either side at least; none where there are not so many.
struct AroundLowest {
  static constexpr std::size_t most = 11;

  std::array<const LineReading*, most> at{};
  std::size_t size = 0, lowest = 0;
};

/// Whether two readings are of one convex function: masses rounded in each direction by themselves are of two laws, one
/// before an epsilon of 0 and one behind.
[[nodiscard]] inline bool are_of_one_law(const LineReading& a, const LineReading& b, const ProfileEnd& end) {
  return !end.rounded || (a.epsilon < 0) == (b.epsilon < 0);
}

/// How many places to a side of the lowest reading the nearest one is that certainly lies above it, and above an inner
/// one of its own law. That is the lowest, or of another law its first; none where no reading is beyond it.
/// `around(places)` is the reading so many places right of the lowest, or null.
template <class Around>
std::optional<int> places_to_above(const Around& around, int side, const ProfileEnd& end) {
  const LineReading& lowest = *around(0);
  const SmallerOne smaller(lowest);
  const LineReading* inner = &lowest;
  for (int places = side; around(places + side); places += side) {
    const LineReading& here = *around(places);
    if (!are_of_one_law(here, *inner, end)) inner = &here;
    if (smaller.certainly_above(here, *inner) && smaller.certainly_above(here, lowest)) return places;
  }
  return std::nullopt;
}

/// The lowest reading, on either side the one places_to_above() and the one beyond that, and between those the two next
/// to each and the two where two laws meet: all that tells of a kink.
template <class Around>
AroundLowest around_lowest(const Around& around, const ProfileEnd& end) {
  const int left = places_to_above(around, -1, end).value_or(-1), right = places_to_above(around, +1, end).value_or(+1);
  AroundLowest out;
  if (!around(left - 1) || !around(right + 1)) return out;
  const auto is_inside = [&](int places) { return places > left + 2 && places < right - 2 && places != 0; };
  const auto meets_other_law = [&](int places) {
    const LineReading& here = *around(places);
    return !are_of_one_law(here, *around(places - 1), end) || !are_of_one_law(here, *around(places + 1), end);
  };
  for (int places = left - 1; places <= right + 1; ++places) {
    if (is_inside(places) && !meets_other_law(places)) continue;
    if (places == 0) out.lowest = out.size;
    out.at[out.size++] = around(places);
  }
  return out;
}

/// Bounds on the least power of all lines at alpha. All of [0, 1] where the readings do not show on which side of them
/// it lies. Where the profile is not convex the lower one is an estimate.
[[nodiscard]] CertifiedLine certified_line(const AroundLowest& readings, const ProfileEnd& end, double alpha);

/// The epsilon where the straight lines through a, b and through c, d meet, in e^epsilon: a kink between them. An
/// estimate, perhaps NaN.
[[nodiscard]] double crossing(const LineReading& a, const LineReading& b, const LineReading& c, const LineReading& d);

/// The logarithm of a lower bound of the power of all lines, by readings at increasing epsilons and three properties of
/// any profile, and of the least of several: it falls, is at least 1 - e^epsilon, and lies above the chords that begin
/// where e^epsilon = 0 and delta = 1. Between two readings delta is at least the right one's, and e^epsilon alpha at
/// least the left one's.
[[nodiscard]] double least_log_power(std::span<const LineReading> readings, const ProfileEnd& end, double alpha);

/// Power is at least the mass at infinity, and at least alpha by Q's mass where P has some.
[[nodiscard]] SupportingLine with_plain_bounds(SupportingLine line, const ProfileEnd& end, double alpha);

/// What each of the readings says by itself, at increasing epsilons: power is at most that of any line, and at least
/// least_log_power().
[[nodiscard]] SupportingLine within_readings(SupportingLine line, std::span<const LineReading> readings,
                                             const ProfileEnd& end, double alpha);

}  // namespace pld
