#pragma once

#include "pld/account/composition.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/direction.hpp"

namespace pld {

// Divergences of a composition, from the exact cells and atoms of each release's pair; they add up over releases.
//
// Each is the Q mean of a function psi convex in the likelihood ratio. In a cell of P mass p and Q mass q the mean is
// at least q psi(p/q) (Jensen) and at most that of the chord over the cell, so that finer cells narrow the bracket.
// Beyond the last cell of an unbounded loss the family's own tail bound counts (DominatingPair::log_tail_moment); only
// noise of somebody's own without one has an upper end of +inf. Infinite where P has mass that Q lacks, or where the
// order makes it so (sinh-normal noise). `tolerance` is the relative width asked of a release. All throw DomainError
// for arguments out of range.

/// Renyi divergence D_order(P||Q) = log E_Q[(dP/dQ)^order] / (order - 1) (Renyi 1961; Mironov 2017), for an order >=
/// 0.001: at 1 its limit, the Kullback-Leibler divergence, at +inf the largest loss. For the worst of both directions
/// the larger one.
[[nodiscard]] Bracket renyi_divergence(const Composition& composition, double order,
                                       DirectionChoice direction = DirectionChoice::worst, double tolerance = 1e-6);

/// D_1, the mean of the loss.
[[nodiscard]] Bracket kl_divergence(const Composition& composition, DirectionChoice direction = DirectionChoice::worst,
                                    double tolerance = 1e-6);

/// D_inf, the largest loss: the epsilon of pure DP.
[[nodiscard]] Bracket max_divergence(const Composition& composition,
                                     DirectionChoice direction = DirectionChoice::worst);

/// Alpha divergence (E_Q[(dP/dQ)^alpha] - 1) / (alpha (alpha - 1)) = (e^{(alpha - 1) D_alpha} - 1) / (alpha (alpha -
/// 1)), alpha >= 0.001 and finite (Amari 1985); at 1 the Kullback-Leibler divergence.
[[nodiscard]] Bracket alpha_divergence(const Composition& composition, double alpha,
                                       DirectionChoice direction = DirectionChoice::worst, double tolerance = 1e-6);

/// Hellinger distance sqrt(1 - E_Q sqrt(dP/dQ)) = sqrt(1 - e^{-D_{1/2} / 2}), in [0, 1]; the same in both directions.
[[nodiscard]] Bracket hellinger_distance(const Composition& composition, double tolerance = 1e-6);

}  // namespace pld
