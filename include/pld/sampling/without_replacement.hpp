#pragma once

#include "pld/mechanisms/mechanism.hpp"

namespace pld {

/// The mechanism run on a fixed-size batch drawn without replacement, a share `rate` of the data set, in [0, 1].
/// With (P, Q) the base's replace-one pair, by advanced joint convexity (Balle, Barthe, Gaboardi 2018, theorems 2 and
/// 11):
///   replace-one: the profile of ((1-g) Q + g P, Q) at epsilon >= 0 and of (P, (1-g) P + g Q) below (Zhu, Dong, Wang
///   2022,
///     proposition 30), attained at every epsilon where (P, Q) is;
///   add-remove: remove ((1-g) Q + g P, Q), add (P, (1-g) P + g Q), with g the share of the larger data set: a batch
///   without the
///     record and one with it differ by a replacement;
///   zero-out: the pair of replace-one, an upper bound.
/// At rate 1 the batch is the data set: under replace-one and zero-out that is the mechanism itself. Under add-remove a
/// neighbour of n + 1 records still has a batch of n, at rate n/(n+1), so that (P, Q) is an upper bound nobody attains.
/// Works on any mechanism with a replace-one pair, of which under add-remove and zero-out a guarantee alone is none.
/// Throws DomainError for a rate outside [0, 1] and for a mechanism that is sampled itself.
[[nodiscard]] Mechanism without_replacement(const Mechanism& base, double rate);

}  // namespace pld
