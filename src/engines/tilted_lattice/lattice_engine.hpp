#pragma once

#include "engines/engine_answer.hpp"
#include "pairs/term.hpp"

namespace pld {

/// The general engine: each release on a lattice from both sides, composed by tilted transforms, refined until the
/// bracket is as narrow as asked or the largest transform is reached. At least one term; counts >= 1.
///
/// log delta at a finite epsilon; `tolerance` is the width asked of it (that is, relative on delta).
[[nodiscard]] EngineAnswer lattice_log_delta(const Terms& terms, double epsilon, double tolerance);

/// Smallest epsilon at which the finite losses have a profile of at most e^log_finite, delta less the mass at +inf,
/// itself known to within a bracket (lower may be -inf: the answer's upper end is then +inf). `tolerance` is relative,
/// a width of 1e-9 is enough in any case.
[[nodiscard]] EngineAnswer lattice_epsilon(const Terms& terms, const Bracket& log_finite, double tolerance);

}  // namespace pld
