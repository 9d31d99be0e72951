#pragma once

#include "engines/contour/effort.hpp"
#include "engines/piece_ask.hpp"
#include "engines/profile_piece.hpp"
#include "pairs/term.hpp"

namespace pld {

/// Whether the contour engine takes these terms beside a Gaussian release: each has a law that is known analytically,
/// atoms alone among them.
[[nodiscard]] bool smoothed_takes(const Terms& terms);

/// Whether that is worth asking before a lattice: atoms that lie on no one lattice, and many of them beside densities.
/// False where smoothed_takes() is.
[[nodiscard]] bool smoothing_pays(const Terms& terms, double tolerance);
/// Whether that takes less than a line without the Gaussian release: bounds on what atoms leave of one take longer than
/// the few nodes of another that need not be narrow.
[[nodiscard]] bool smoothing_takes_less(const Terms& terms, double tolerance);

/// The privacy profile of the composition, told by that of the same composition beside a Gaussian release of a small
/// mu, which decays along every line: that one is an average of the profile asked about at losses mu apart, which is
/// convex in e^epsilon. So it is an upper bound, and chords between its values give a lower one; both are off by the
/// square of mu (docs/contour_engine.md). The mu is as large as the width asked allows.
///
/// Domain: smoothed_takes(terms). Null hands over: even a mu that leaves the bracket wide takes too much work.
[[nodiscard]] PiecePtr smoothed_piece(const Terms& terms, const PieceAsk& ask, Effort effort);

}  // namespace pld
