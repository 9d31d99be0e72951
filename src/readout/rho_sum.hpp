#pragma once

#include <optional>

#include "pairs/least_renyi.hpp"
#include "pld/account/composition.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/doubles_around.hpp"

namespace pld {

/// Whether D_a = rho a at every order a, of Gaussians that are not sampled and of zCDP guarantees alone.
[[nodiscard]] bool is_linear(const Composition& composition);

/// The doubles around that rho, next to each other. Domain: is_linear().
[[nodiscard]] DoublesAround linear_rho(const Composition& composition);

/// The mu of Gaussian noise with such a rho, the root of 2 rho: itself where that is a double.
[[nodiscard]] Bracket mu_of_rho(const DoublesAround& rho);

/// The mu of Gaussians that are not sampled, whose composition is one; of others nothing.
[[nodiscard]] std::optional<Bracket> mu_of_gaussians(const Composition& composition);

/// A bound of D_a / a over all orders, of one release (DominatingPair::renyi_slope(), RenyiCurve::slope); +inf where
/// none is known.
[[nodiscard]] double rho_bound(const Mechanism& mechanism);

/// A line below which the divergences of one release lie, not steeper than rho_bound().
[[nodiscard]] RenyiLine rho_line(const Mechanism& mechanism);

/// The sum of the releases', an upper bound of rho: the least double that is no less, where all are known exactly.
[[nodiscard]] double rho_bound(const Composition& composition);

}  // namespace pld
