#pragma once

#include "pld/account/composition.hpp"
#include "pld/core/bracket.hpp"

namespace pld {

/// Whether D_a = rho a at every order a, of Gaussians that are not sampled and of zCDP guarantees alone: rho_bound() is
/// then the rho.
[[nodiscard]] bool is_linear(const Composition& composition);

/// A bound of D_a / a over all orders, of one release (DominatingPair::renyi_slope(), RenyiCurve::slope); +inf where
/// none is known.
[[nodiscard]] double rho_bound(const Mechanism& mechanism);

/// The sum of the releases', an upper bound of rho. Where all are known exactly it is the least double that is no less,
/// each number standing for the decimal that it is printed as: ten releases of rho 0.1 have 1.
[[nodiscard]] double rho_bound(const Composition& composition);

}  // namespace pld
