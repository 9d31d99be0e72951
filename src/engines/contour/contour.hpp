#pragma once

#include "engines/contour/effort.hpp"
#include "engines/piece_ask.hpp"
#include "engines/profile_piece.hpp"
#include "pairs/term.hpp"

namespace pld {

/// Whether the contour engine can compose these terms: each one is a (Poisson-sampled) Gaussian or has a law that is
/// known analytically, and one has a density (atoms alone do not decay).
[[nodiscard]] bool contour_takes(const Terms& terms);

/// Whether it is worth asking unasked for an answer of this tolerance: Gaussians alone, or enough hits of Gaussians
/// beside other laws. Else laws that decay together within some nodes, a hundred for 1e-4, as far as their outlines
/// tell: other laws' points make each node dear, so that a line in vain takes longer than a lattice.
[[nodiscard]] bool contour_decays_soon(const Terms& terms, double tolerance = 1e-4);

/// Privacy profile delta(epsilon) of the composition as an inverse Laplace integral of its moment function along a
/// vertical line through a saddle point for `epsilon`, by the trapezoidal rule; no epsilon enters its nodes. The
/// bracket holds the errors of quadrature in both levels, aliasing, truncation and floating point. Cost does not depend
/// on the counts.
///
/// Domain: contour_takes(terms); finite epsilon; tolerance > 0 is the width asked of both logarithms there (that is,
/// the relative width of delta and of 1 - delta). Throws DomainError otherwise. The bracket is wider than that where
/// nothing narrower comes out of long doubles. Null hands over: the integrand decays too slowly for the effort (few
/// sampled hits in all).
[[nodiscard]] PiecePtr contour_piece(const Terms& terms, double epsilon, double tolerance, Effort effort);

/// The same near the epsilon (of either sign) at which the profile is e^log_delta, its centre().
///
/// Domain: contour_takes(terms); log_delta in (-inf, 0); tolerance > 0 is the relative width asked of that epsilon (an
/// absolute width of 1e-9 is always enough). Throws DomainError otherwise.
[[nodiscard]] PiecePtr contour_piece_at_delta(const Terms& terms, double log_delta, double tolerance, Effort effort);

/// Whichever of them is asked for. Null also where a question's work is too little.
[[nodiscard]] PiecePtr contour_piece_for(const Terms& terms, const PieceAsk& ask, Effort effort);

}  // namespace pld
