#pragma once

#include "engines/profile_piece.hpp"
#include "pairs/term.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/profile_bracket.hpp"

namespace pld {

/// The terms with all unsampled Gaussians joined into one: their composition is the Gaussian pair with
/// mu^2 = sum of the mu^2 (Dong, Roth, Su 2022, corollary 3.3).
[[nodiscard]] Terms join_gaussians(const Terms& terms);

[[nodiscard]] bool is_single_release(const Terms& terms);

/// Whether a closed form answers: a single release, which Gaussian compositions are once joined, or releases whose
/// losses are so few that all outcomes of the composition can be listed.
[[nodiscard]] bool closed_form_takes(const Terms& joined);

/// log delta(epsilon) of one release, from its exact tail masses: P(z > epsilon) (1 - e^{epsilon - b}), b the tail's
/// barycentre log(P/Q); or the sum of P (1 - e^{epsilon - z}) over the outcomes whose loss z is above epsilon.
/// Certified to a few units of round-off, a release each.
[[nodiscard]] Bracket closed_form_log_delta(const Terms& joined, double epsilon);

/// Its upper end for one release.
[[nodiscard]] double closed_form_log_delta_upper(const PairPtr& pair, double epsilon);

/// The same without what infinite losses add.
[[nodiscard]] double closed_form_log_finite_delta_upper(const DominatingPair& pair, double epsilon);

/// The same with log(1 - delta(epsilon)) = log(P(z <= epsilon) + e^epsilon Q(z > epsilon)), a sum of positive terms.
[[nodiscard]] ProfileBracket closed_form_profile(const Terms& joined, double epsilon);
/// That of one composition, at any epsilon.
[[nodiscard]] PiecePtr closed_form_piece(const Terms& joined);

/// Whether releases have so few losses each that the outcomes that are not too rare may be listed, of which there are
/// too many for a closed form.
[[nodiscard]] bool outcomes_may_be_listed(const Terms& terms);

/// By these, at any epsilon. Null where they turn out to be too many.
[[nodiscard]] PiecePtr listed_outcomes_piece(const Terms& terms);

}  // namespace pld
