#pragma once

#include "pld/mechanisms/mechanism.hpp"

namespace pld {

/// `steps` runs of the mechanism, each record taking part in exactly one of them, which is drawn uniformly and for each
/// record by itself (random allocation, balls in bins): one release is one epoch. With (P, Q) the base's pair,
///   remove: P' = mean over t of Q x .. x P (in place t) x .. x Q, Q' = Q x .. x Q;   add: the base's add pair likewise
/// (Feldman, Shenfeld 2025; for Gaussian noise Chua, Ghazi, Harrison et al. 2024; proof: docs/random_allocation.md).
/// Its ratio is the mean of `steps` independent ones, whose law is bounded from both sides.
///   add-remove, zero-out: attained where the base's pair is, in every step;
///   replace-one: no pair is known, MissingTheorem.
/// Works on any mechanism that is not sampled itself. Throws DomainError unless 1 <= steps <= 1e9 is whole.
[[nodiscard]] Mechanism randomly_allocated(const Mechanism& base, double steps);

}  // namespace pld
