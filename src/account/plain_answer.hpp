#pragma once

#include "pld/account/answer.hpp"
#include "pld/account/composition.hpp"

namespace pld {

/// epsilon() and delta() by the tolerance asked for alone, without the coarser ones before it: for searches that choose
/// the tolerances of their trials. Domain: what a query allows.
[[nodiscard]] Answer plain_epsilon(const Composition& composition, const EpsilonQuery& query);
[[nodiscard]] DeltaAnswer plain_delta(const Composition& composition, const DeltaQuery& query);

}  // namespace pld
