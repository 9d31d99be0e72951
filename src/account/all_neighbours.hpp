#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "account/larger_of.hpp"
#include "core/intersection.hpp"
#include "engines/question.hpp"
#include "pld/account/composition.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/profile_bracket.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

// The truth of a composition that is not exact lies between what its pairs compose to and what real neighbours attain.

/// Part of a question's work that goes to what all neighbours keep to; the rest goes to what some of them attain.
inline constexpr double share_of_upper_end = 0.8;

/// What both of a bound by the pairs and one by real neighbours say, with the pairs' estimate.
[[nodiscard]] inline Bracket between_bounds(const Bracket& of_pairs, const Bracket& attained) {
  Bracket out = intersection(of_pairs, attained);
  if (!std::isnan(of_pairs.estimate)) out.estimate = std::clamp(of_pairs.estimate, out.lower, out.upper);
  return out;
}

/// The bracket of a quantity that is larger where more is lost, and `most` at most.
[[nodiscard]] inline Bracket rising(const Bracket& of_pairs, const Bracket& attained, double most = infinity) {
  return between_bounds({-infinity, of_pairs.estimate, of_pairs.upper}, {attained.lower, attained.lower, most});
}

/// The same of epsilons: nothing is attained where nothing released is known to be.
[[nodiscard]] inline Bracket rising_if_known(const Bracket& of_pairs, const Composition& attained,
                                             const Bracket& attained_epsilon) {
  return rising(of_pairs, attained.releases().empty() ? at_least(-infinity) : attained_epsilon);
}

/// The bracket of a quantity that is smaller where more is lost, and `most` at most.
[[nodiscard]] inline Bracket falling(const Bracket& of_pairs, const Bracket& attained, double most = infinity) {
  return between_bounds({of_pairs.lower, of_pairs.estimate, most}, at_most(attained.upper));
}

[[nodiscard]] inline ProfileBracket of_all_neighbours(const ProfileBracket& of_pairs, const ProfileBracket& attained) {
  return {rising(of_pairs.log_delta, attained.log_delta, 0),
          falling(of_pairs.log_complement, attained.log_complement, 0)};
}

/// Each of some pairs of neighbours in its turn, the first one with most of the work that is left: it is the one that
/// tells most of many releases, which take most.
template <class Ones, class Use>
void use_first_most(Ones& ones, const Use& use) {
  constexpr double share_of_first = 0.7;
  with_share(ones.size() > 1 ? share_of_first : 1, [&] { use(ones.front()); });
  use_each(std::span(ones).subspan(1), use);
}

/// The largest lower end that `read(one)` has of each pair of real neighbours.
template <class Ones, class Read>
[[nodiscard]] Bracket most_attained(const Ones& ones, const Read& read) {
  Bracket most = read(ones.front());
  for (std::size_t i = 1; i < ones.size(); ++i) most = larger(most, read(ones[i]));
  return most;
}

/// `read(composition)`, rising, over all neighbours.
template <class Read>
[[nodiscard]] Bracket rising_over_neighbours(const Composition& composition, const Read& read) {
  if (composition.is_one_law()) return read(composition);
  const Bracket of_pairs = read(composition.of_pairs());  // first: the upper end is worth more of the work
  return rising(of_pairs, most_attained(composition.attained_by_each(), read));
}

}  // namespace pld
