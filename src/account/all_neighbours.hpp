#pragma once

#include <algorithm>

#include "pld/account/composition.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/profile_bracket.hpp"

namespace pld {

// The truth of a composition that is not exact lies between what its pairs compose to and what real neighbours attain.

/// Of a quantity that is larger where more is lost.
[[nodiscard]] inline Bracket rising(const Bracket& of_pairs, const Bracket& attained) {
  return {std::min(attained.lower, of_pairs.upper), of_pairs.estimate, of_pairs.upper};
}

/// Of a quantity that is smaller where more is lost.
[[nodiscard]] inline Bracket falling(const Bracket& of_pairs, const Bracket& attained) {
  return {of_pairs.lower, of_pairs.estimate, std::max(attained.upper, of_pairs.lower)};
}

[[nodiscard]] inline ProfileBracket of_all_neighbours(const ProfileBracket& of_pairs, const ProfileBracket& attained) {
  return {rising(of_pairs.log_delta, attained.log_delta), falling(of_pairs.log_complement, attained.log_complement)};
}

/// `read(composition)`, rising, over all neighbours.
template <class Read>
[[nodiscard]] Bracket rising_over_neighbours(const Composition& composition, const Read& read) {
  if (composition.is_exact()) return read(composition);
  return rising(read(composition.of_pairs()), read(composition.attained()));
}

}  // namespace pld
