#pragma once

#include "pld/mechanisms/mechanism.hpp"

namespace pld {

/// The mechanism run on a Poisson sample: each record takes part independently with probability q, in [0, 1].
///   add-remove, zero-out: from the base pair (P, Q), remove ((1-q) Q + q P, Q), add (P, (1-q) P + q Q) with the base's
///     add pair (Zhu, Dong, Wang 2022, theorem 11);
///   replace-one, symmetric log-concave noise X, positive on the whole line or on all whole numbers, of sensitivity s:
///     ((1-q) X + q (X + s), (1-q) X + q (X - s)), which two opposite values of the record have in every release
///     (proof: docs/poisson_replace_one.md);
///   replace-one, other mechanisms: the pair of sampling without replacement at the same rate, an upper bound: samples
///     with the record differ by its replacement and from those without it by a removal, which the replace-one pair
///     dominates too (Balle, Barthe, Gaboardi 2018, theorem 2). A guarantee for replace-one alone says nothing of
///     removals: MissingTheorem.
/// Works on any mechanism; a Poisson sample of a Poisson sample is one. Throws DomainError for q outside [0, 1] and for
/// a mechanism on batches of fixed size.
[[nodiscard]] Mechanism poisson_sampled(const Mechanism& base, double q);

}  // namespace pld
