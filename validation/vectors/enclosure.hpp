#pragma once

#include <string>

#include "interval.hpp"
#include "profiles.hpp"

namespace vectors {

/// A number between two decimals.
struct Enclosure {
  std::string lower, upper;
};

/// 40 significant digits of both ends, rounded outward.
[[nodiscard]] Enclosure decimals(const Interval& value);

/// The epsilon at which a falling profile takes this value, between -limit and limit: found by the secant method, then certified by
/// the profile's intervals on both sides. Throws std::runtime_error where they do not tell it to 30 digits.
[[nodiscard]] Interval epsilon_at(const Profile& profile, const Interval& delta, double limit);

}  // namespace vectors
