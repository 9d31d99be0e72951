#pragma once

#include <optional>

#include "core/side.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/profile_bracket.hpp"

namespace pld {

/// What both of two certified brackets say, with the narrower one's estimate. The one place where bounds meet, and so
/// where lower <= upper is seen to: of two that exclude each other one is wrong, so that only their hull is certain,
/// and contradictions() counts them.
[[nodiscard]] Bracket intersection(const Bracket& a, const Bracket& b);
[[nodiscard]] ProfileBracket intersection(const ProfileBracket& a, const ProfileBracket& b);

/// The same, but where a side is named only that end of `known` counts: the other end of a bound from one side says
/// nothing, and excludes nothing.
[[nodiscard]] Bracket sharpened(const Bracket& found, const Bracket& known, std::optional<Side> certain);

/// All that a bound at one end says.
[[nodiscard]] Bracket at_least(double lower);
[[nodiscard]] Bracket at_most(double upper);

}  // namespace pld
