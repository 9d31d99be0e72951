#pragma once

#include <optional>

#include "pld/account/engine.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/direction.hpp"
#include "pld/core/finding.hpp"

namespace pld {

/// What is the smallest epsilon for this delta?
struct EpsilonQuery {
  double delta = 1e-6;  ///< in [0, 1]
  /// Relative width asked of the bracket, > 0; a width of 1e-9 is always enough. Of what is exact a smaller one than
  /// this is come to by tenths of it, whose brackets are met: none is wider than one that was asked for less closely;
  /// and a larger one is answered as this one is.
  double tolerance = 1e-4;
  DirectionChoice direction = DirectionChoice::worst;
  Engine engine = Engine::automatic;
};

/// What is delta at this epsilon?
struct DeltaQuery {
  double epsilon = 0;       ///< any real number, or an infinity
  double tolerance = 1e-3;  ///< relative width asked of the bracket, > 0; another one than this as in EpsilonQuery
  DirectionChoice direction = DirectionChoice::worst;
  Engine engine = Engine::automatic;
};

/// A bracket and how it came about. `upper` is always a proof. For an exact composition (Composition::is_exact) the
/// bracket is as narrow as `converged` says. Of others the pairs only dominate: `upper` is the best bound that is
/// known, `lower` what real neighbours attain, -infinity (of delta 0) where nothing is known, however far away that is.
struct Answer : Finding {
  Direction direction = Direction::remove;  ///< the worse one, or the one asked for
  Engine engine = Engine::automatic;        ///< the one that answered
  /// Whether the tolerance was met: by the bracket of an exact composition, else by that of the bound itself.
  bool converged = true;

  /// Where Renyi guarantees were composed: the answer with them (and, where that is less, with the other releases'
  /// divergences too) added up and then converted, and with each converted and then composed, both upper bounds; the
  /// smaller one is taken.
  struct Routes {
    Bracket added_first, converted_first;
  };
  std::optional<Routes> renyi_routes{};
};

/// delta, and its natural logarithm where delta itself leaves the range of a double.
struct DeltaAnswer : Answer {
  Bracket log_delta;
};

}  // namespace pld
