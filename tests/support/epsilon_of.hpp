#pragma once

#include <optional>

#include "engines/closed_form/closed_form.hpp"
#include "engines/contour/contour.hpp"
#include "engines/inverse.hpp"
#include "engines/profile_piece.hpp"
#include "numeric/log_range.hpp"

namespace pld {

/// The epsilon of a log delta, as one engine's piece has it; none where there is no piece.
inline std::optional<Bracket> epsilon_of(const PiecePtr& piece, double log_delta) {
  if (!piece) return std::nullopt;
  return epsilon_where([&](double epsilon) { return piece->at(epsilon); }, log_delta, piece->centre());
}

inline std::optional<Bracket> contour_epsilon(const Terms& terms, double log_delta, double tolerance) {
  return epsilon_of(contour_piece_at_delta(terms, log_delta, tolerance, Effort::thorough), log_delta);
}

/// A profile of which only log delta is known.
inline ProfileBracket profile_with(const Bracket& log_delta) {
  return {log_delta, contour::one_minus({log_delta.lower, log_delta.estimate, log_delta.upper}).bracket()};
}

}  // namespace pld
