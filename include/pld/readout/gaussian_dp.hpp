#pragma once

#include "pld/account/composition.hpp"
#include "pld/core/finding.hpp"

namespace pld {

/// The smallest mu of mu-GDP at all alphas, however small delta is there (Dong, Roth, Su 2022, definition 2.6).
/// Upper end: mu^2 of parts that are composed add up (corollary 3.3), those of
/// - Gaussians, sampled or not: (sensitivity / sigma)^2 each, since far out, where every release has hit, a sample's
///   loss is that of all data;
/// - what has bounded losses, together: the smallest mu whose Gaussian is above their pairs' profile at every epsilon;
///   the sum of those of the steps from neighbour to neighbour (theorem 2.14); or equal blocks of them, or each kind,
///   or each release by itself, as (L, 0)-DP of its largest loss L too;
/// - other samples: of the releases of all data that a record is in.
/// Lower end: the larger mu of the Gaussians far out and of the bounded losses. Exact, so that the ends meet, of either
/// alone where composition.is_exact().
///
/// `tolerance` is relative, that of the mu of bounded losses. Both directions count. Seconds at most. Throws
/// DomainError for a mechanism of none of these kinds.
[[nodiscard]] Finding gaussian_dp_mu(const Composition& composition, double tolerance = 1e-4);

}  // namespace pld
