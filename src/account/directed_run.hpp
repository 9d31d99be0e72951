#pragma once

#include <vector>

#include "pairs/term.hpp"
#include "pld/account/composition.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/direction.hpp"

namespace pld {

/// A mass of e^-this is below every double: no digit of a sum of masses depends on its own.
inline constexpr double log_nothing = 800;

/// One direction of a composition, ready for the engines.
struct DirectedRun {
  Direction direction = Direction::remove;
  Terms terms;                     ///< unsampled Gaussians joined
  Bracket infinity_mass{};         ///< P mass of an infinite loss
  bool has_infinite_loss = false;  ///< also where its mass is below every double
  bool has_finite_loss = true;     ///< where there is none, engines have nothing to compose
  Bracket log_finite_mass{};       ///< log of 1 less that mass
  Bracket largest_loss{};          ///< the largest finite loss
  double smallest_loss = 0;        ///< at or below the smallest finite loss
  Bracket log_q_finite{};          ///< log of Q's mass where P has some
};

/// The releases as engines compose them.
[[nodiscard]] Terms terms_in(const Composition& composition, Direction direction);

/// Whether a release has infinite losses. The first one tells: pairs of guarantees take some hundredths of a second
/// each.
[[nodiscard]] bool loses_infinitely(const Composition& composition, Direction direction);

[[nodiscard]] DirectedRun run_in(const Composition& composition, Direction direction);

/// log delta from the largest finite loss on: of the mass at infinity.
[[nodiscard]] Bracket log_delta_beyond_losses(const DirectedRun& run);

/// log(1 - e^epsilon Q(finite)): log delta of an epsilon below all losses, elsewhere less than that (no event gains
/// more by being left out).
[[nodiscard]] Bracket log_delta_below_losses(const DirectedRun& run, double epsilon);

/// What log delta is at most, from the smallest loss on: the profile falls.
[[nodiscard]] double most_log_delta(const DirectedRun& run);

/// Whether both directions have the same loss distribution.
[[nodiscard]] bool symmetric(const Composition& composition);

/// Those whose worst is asked for: one where both are alike.
[[nodiscard]] std::vector<Direction> directions(const Composition& composition, DirectionChoice choice);

/// exp of a bracket of logarithms of probabilities, outward; stays within [0, 1].
[[nodiscard]] Bracket probability(const Bracket& log);

}  // namespace pld
