#pragma once

namespace pld {

/// Which neighbours have a mechanism's pair as their outputs.
enum class Attainment {
  together,  ///< one pair of neighbours, the same in every release it takes part in: compositions are exact
  between,   ///< likewise, but of a law that is known from two sides only: the pair from above, Law::below from below
  alone,     ///< at every epsilon some neighbours, but not the same ones: exact as a single release only
  nowhere,   ///< none is known: the pair dominates all neighbours, and may be loose
};

/// Whether some pair of neighbours loses what the law says in every release, and what several releases compose to.
[[nodiscard]] constexpr bool attained_in_composition(Attainment attained) {
  return attained == Attainment::together || attained == Attainment::between;
}

/// What is known of a mechanism's pairs.
struct LawKind {
  Attainment attained = Attainment::together;
  /// The parameters state a guarantee for the relation asked about. What the mechanism does under another is not known;
  /// of an algorithm that is named, it is.
  bool guarantee = false;
  /// No algorithm is named, but what any mechanism with a guarantee keeps: what is attained is attained by one of those
  /// mechanisms, and the one at hand may lose less.
  bool only_guaranteed = false;
};

}  // namespace pld
