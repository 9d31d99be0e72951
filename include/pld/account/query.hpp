#pragma once

#include "pld/account/answer.hpp"
#include "pld/account/composition.hpp"

namespace pld {

/// Smallest epsilon at which the composition is (epsilon, delta)-DP for all neighbours, as a certified bracket. It is
/// +inf where delta is below the mass at infinity, the largest loss for delta = 0, -inf for delta = 1, negative where
/// delta exceeds the total variation. Throws DomainError for bad arguments or an engine that cannot take this
/// composition.
[[nodiscard]] Answer epsilon(const Composition& composition, const EpsilonQuery& query);

/// Privacy profile delta(epsilon) = sup over events of P(S) - e^epsilon Q(S), as a certified bracket.
/// Throws DomainError for bad arguments or an engine that cannot take this composition.
[[nodiscard]] DeltaAnswer delta(const Composition& composition, const DeltaQuery& query);

}  // namespace pld
