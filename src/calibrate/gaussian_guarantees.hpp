#pragma once

#include "pld/account/composition.hpp"
#include "pld/core/bracket.hpp"

namespace pld {

/// mu of the Gaussian-DP guarantee of a composition, the root of the sum of the releases' mu^2 (Dong, Roth, Su 2022,
/// corollary 3.3), and the least mu that it can have.
///
/// A Gaussian, sampled or not, has mu = sensitivity / sigma: sampling takes nothing off it, since far out in the tail
/// (where every release has hit) the loss is the unsampled one. A release of losses within [-L, L] is L-DP, hence
/// mu-GDP with mu = 2 Phi^{-1}(e^L / (1 + e^L)): both trade-off functions meet at the kink of the L-DP one. Other
/// samples have that of the releases of all data that a record is in. Throws DomainError for others.
[[nodiscard]] Bracket gaussian_dp_mu(const Composition& composition);

}  // namespace pld
