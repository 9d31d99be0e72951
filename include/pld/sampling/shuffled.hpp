#pragma once

#include "pld/mechanisms/mechanism.hpp"

namespace pld {

/// One epoch of shuffled batches as one release: the records are put in a random order and cut into `batches` batches
/// of fixed size, on each of which the mechanism runs once. Epochs are releases, each shuffled anew or all alike.
///   zero-out, replace-one: dominated by one release of the mechanism, since a record is in one batch of an epoch and
///     divergences are jointly convex; attained by no neighbours that are known.
///   From below, where the release is Gaussian noise on a sum: with all other records at the opposite end, a batch with
///     the record stands out the more (Chua, Ghazi, Kamath, Kumar, Manurangsi, Sinha, Zhang 2024, "How private are
///     DP-SGD implementations?"). Of its T outputs the largest alone tells that much; for epochs shuffled anew.
///   add-remove: MissingTheorem. Without a record the later ones move up, so that other batches change too.
/// Throws DomainError unless 1 <= batches <= 1e9 is whole, MissingTheorem for a mechanism that is sampled itself.
[[nodiscard]] Mechanism shuffled(const Mechanism& base, double batches);

}  // namespace pld
