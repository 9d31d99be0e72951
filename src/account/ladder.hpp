#pragma once

#include <optional>

#include "account/engine_table.hpp"
#include "engines/profile_piece.hpp"
#include "pairs/term.hpp"
#include "pld/account/engine.hpp"
#include "pld/core/profile_bracket.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

/// What a profile is asked near one epsilon.
struct DeltaAsk {
  double epsilon = 0;            ///< finite
  double width = 1e-3;           ///< > 0, of log delta; of log(1 - delta) too where 1 - delta is above 1e-8
  double nats = 0;               ///< how far log delta may be from that at epsilon where the pieces are read
  double log_floor = -infinity;  ///< where log delta turns out to be below it an upper bound will do
};

/// What the pieces say that were climbed to.
struct ClimbedDelta {
  ProfileBracket here;              ///< at the epsilon asked for
  PiecePtr piece;                   ///< all of them together
  Engine engine = Engine::lattice;  ///< whose bracket is the narrowest
};

/// What the engines say that were climbed to.
struct ClimbedEpsilon {
  Bracket value;
  bool converged = false;
  Engine engine = Engine::lattice;  ///< whose bracket is the narrowest
};

/// The one choice among engines: climbs engine_table() and intersects what its rows come to, until that is as narrow as
/// asked. Where log delta stays wider, finer pieces are asked for as long as they pay.
///
/// At least one term. Throws DomainError unless the engine asked for takes them, or where the contour engine alone was
/// asked and cannot.
[[nodiscard]] ClimbedDelta climb(const Terms& terms, Engine asked, const DeltaAsk& ask);
[[nodiscard]] ClimbedEpsilon climb(const Terms& terms, Engine asked, const EpsilonAsk& ask);

}  // namespace pld
