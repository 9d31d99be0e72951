#pragma once

#include <string>
#include <string_view>

#include "pld/account/running_total.hpp"

namespace pld {

/// A running total as bytes: CBOR (RFC 8949) of an object that says "pld-running-total": 3. In it are the adjacency,
/// the grid, the list as mechanisms of entry_from_text() with counts, and the joined Gaussians. So are the boxes with a
/// member of each family and the totals' measures, every double as it is. Mechanisms that no text names (tables, noise
/// of one's own) are put on the lattice first.
[[nodiscard]] std::string running_total_bytes(const RunningTotal& total);

/// Reads that back. Throws ReadError for anything else: cut short, of another version, with a field missing, unknown or
/// out of range.
[[nodiscard]] RunningTotal running_total_from_bytes(std::string_view bytes);

}  // namespace pld
