#pragma once

#include "engines/profile_piece.hpp"
#include "pld/account/engine.hpp"
#include "pld/core/profile_bracket.hpp"
#include "pld/core/rounding.hpp"
#include "pairs/term.hpp"

namespace pld {

/// What a profile is asked near one epsilon.
struct Ask {
  double epsilon = 0;            ///< finite
  double width = 1e-3;           ///< > 0, of log delta; of log(1 - delta) too where 1 - delta is above 1e-8
  double nats = 0;               ///< how far log delta may be from that at epsilon where the pieces are read
  double log_floor = -infinity;  ///< where log delta turns out to be below it an upper bound will do
};

/// What the pieces say that were climbed to.
struct Climbed {
  ProfileBracket here;              ///< at the epsilon asked for
  PiecePtr piece;                   ///< all of them together; null: no engine answered
  Engine engine = Engine::lattice;  ///< whose bracket is the narrowest
};

/// The one choice among engines: climbs engine_table() and intersects the pieces it comes by until both bounds are as
/// near each other as asked, with finer pieces where that is not so at once and finer ones pay.
///
/// Pieces are made to certain widths only and in the middle of the panel that `epsilon` lies in, or for reading far and
/// wide (nats > 0) at epsilon itself. So the width asked says where the climb begins, and a smaller one begins further
/// up the same pieces. At least one term. Throws DomainError unless the engine asked for takes them, or where the
/// contour engine alone was asked and cannot.
[[nodiscard]] Climbed climb(const Terms& terms, Engine asked, const Ask& ask);

/// The middle of an epsilon's panel: all of the same multiple of a power of two, within which log delta changes by some
/// nats and losses by some standard deviations; beyond the bulk of the losses no wider than the epsilon. The epsilon
/// itself where the outlines of the laws do not reach so far.
[[nodiscard]] double panel_of(const Terms& terms, double epsilon);

}  // namespace pld
