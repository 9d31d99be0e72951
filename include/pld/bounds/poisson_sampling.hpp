#pragma once

#include "pld/bounds/renyi.hpp"

namespace pld::bounds {

/// D_alpha of any mechanism on a Poisson sample of rate q, in both directions, from the unsampled curve `rdp`:
///   log((1-q)^{alpha-1} (alpha q - q + 1) + C(alpha, 2) q^2 (1-q)^{alpha-2} e^{rdp(2)}
///       + 3 sum_{j=3..alpha} C(alpha, j) q^j (1-q)^{alpha-j} e^{(j-1) rdp(j)}) / (alpha - 1).
/// Precondition: a whole alpha >= 2, q in [0, 1]. Source: Zhu, Wang 2019, theorem 5.
[[nodiscard]] double poisson_renyi_any(const RenyiCurve& rdp, double q, int alpha);

}  // namespace pld::bounds
