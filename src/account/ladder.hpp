#pragma once

#include "account/engine_table.hpp"
#include "engines/piece_ask.hpp"
#include "engines/profile_piece.hpp"
#include "pairs/term.hpp"
#include "pld/account/engine.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/profile_bracket.hpp"

namespace pld {

/// What the pieces say that were climbed to.
struct ClimbedDelta {
  ProfileBracket here;              ///< at the epsilon asked for
  PiecePtr piece;                   ///< all of them together
  Engine engine = Engine::lattice;  ///< whose bracket is the narrowest
};

/// What they say of the epsilon of a delta.
struct ClimbedEpsilon {
  Bracket value;
  Engine engine = Engine::lattice;  ///< whose bracket is the narrowest
};

/// The one choice among engines: climbs engine_table() and intersects what its rows come to, until that is as narrow as
/// asked. Where log delta stays wider, finer pieces are asked for as long as they pay.
///
/// At least one term. Throws DomainError unless the engine asked for takes them, or where the contour engine alone was
/// asked and cannot.
[[nodiscard]] ClimbedDelta climb(const Terms& terms, Engine asked, const PieceAsk& ask);
/// The smallest epsilon for a log delta in (-inf, 0), to a relative tolerance, see enough_width().
[[nodiscard]] ClimbedEpsilon climb_to_delta(const Terms& terms, Engine asked, double log_delta, double tolerance);

}  // namespace pld
