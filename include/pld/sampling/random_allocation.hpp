#pragma once

#include "pld/mechanisms/mechanism.hpp"

namespace pld {

/// `steps` runs of the mechanism, each record taking part in exactly one of them, which is drawn uniformly and for each
/// record by itself (random allocation, balls in bins): one release is one epoch. With (P, Q) the base's pair,
///   remove: P' = mean over t of Q x .. x P (in place t) x .. x Q, Q' = Q x .. x Q;   add: the base's add pair likewise
/// (Feldman, Shenfeld 2025; for Gaussian noise Chua, Ghazi, Harrison et al. 2024; proof: docs/random_allocation.md).
/// Its ratio is the mean of `steps` independent ones, whose law is bounded from both sides.
///   add-remove, zero-out: attained where the base's pair is, in every step;
///   replace-one: an upper bound. Given its step, the record is in one release that is not sampled; and mostly far
///     lower, a removal and then an addition. From below: a removal.
/// Works on any mechanism that is not sampled itself. Throws DomainError unless 1 <= steps <= 1e9 is whole.
[[nodiscard]] Mechanism randomly_allocated(const Mechanism& base, double steps);

/// The same with each record in `participations` different steps of an epoch, all choices alike. Known as an interval:
///   above: as many epochs of 1 out of steps / participations, rounded up for as many as the division leaves over. A
///     choice is that of a random division of the steps into such blocks, and of one step in each; given the blocks,
///     these are independent, and the hockey-stick divergence is jointly convex;
///   below: where the base's pair is attained, what the sum of the steps' rounded ratios tells.
/// Throws DomainError unless participations is whole and 1 <= participations <= steps, 1e6 at most.
[[nodiscard]] Mechanism randomly_allocated_to_several(const Mechanism& base, double steps, double participations);

/// Random allocation where each record keeps its step over `passes` passes of `steps` steps (persistent bins): one
/// release is all of them. The pair is that of the allocation of `passes` releases of the base at once: for Gaussian
/// noise sigma / sqrt(passes). Attained as randomly_allocated() is. Throws DomainError unless 1 <= passes <= 1e6 is
/// whole.
[[nodiscard]] Mechanism allocated_once(const Mechanism& base, double steps, double passes);

}  // namespace pld
