#pragma once

#include <optional>

#include "engines/contour/contour.hpp"

namespace pld {

/// What a line through a saddle point for an epsilon says there.
inline std::optional<ProfileBracket> contour_profile(const Terms& terms, double epsilon, double tolerance) {
  const PiecePtr piece = contour_piece(terms, epsilon, tolerance, Effort::thorough);
  if (!piece) return std::nullopt;
  return piece->at(epsilon);
}

}  // namespace pld
