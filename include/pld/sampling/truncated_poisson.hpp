#pragma once

#include "pld/mechanisms/mechanism.hpp"

namespace pld {

/// The mechanism run on a Poisson sample that is cut to a largest size: of more than `largest_batch` records drawn,
/// each of `records` with probability q, that many are kept at random (batches of static shape on accelerators). The
/// sum is not divided by the number drawn.
///
/// Whether the other records fill the batch is the same with and without the record. Where they do not, the release is
/// one on a Poisson sample. Where they do, the batch holds the record with probability B P(Bin(N, q) > B) / (N P(Bin(N
/// - 1, q) >= B)), in the place of one of them, so that the release is one on a batch drawn without replacement, of
/// that share. The mixture of the two laws is an upper bound (as in Ganesh 2025, arXiv 2508.15089, and, with looser
/// second parts, in dp_accounting). From below: among records that contribute nothing, the record is alone in the
/// sample, with the chance that it is in a batch at all.
///
/// `records` is the size of the data set at hand. Under add-remove a neighbour has one record less, so that N =
/// `records` above, or one more, N = `records` + 1. Neither mixture is always above the other, and one answer holds for
/// both. Beside as many others as in the first case there is then, perhaps, a last one. Where it fills the batch, the
/// record takes part with chance q in an open batch or, with less, in another's place: a batch without replacement at
/// rate q is above both. Where the batch is full anyway, the record's share is the larger in the first case.
///
/// Throws DomainError unless 0 <= q <= 1 and 1 <= largest_batch, records <= 1e9 are whole, and MissingTheorem for a
/// mechanism that is sampled itself or has no law for a replaced record.
struct TruncatedSample {
  double q = 0, largest_batch = 1, records = 1;
};
[[nodiscard]] Mechanism truncated_poisson(const Mechanism& base, const TruncatedSample& sample);

}  // namespace pld
