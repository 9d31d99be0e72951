#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pld/account/composition.hpp"
#include "pld/formats/asked_neighbours.hpp"
#include "pld/formats/entry.hpp"
#include "pld/formats/file_access.hpp"

namespace pld {

/// Reads the JSON form of a composition:
///   {"adjacency": "add-remove", "group": 1,
///    "mechanisms": [{"type": "gaussian", "sigma": 0.8, "sampling": {"poisson": 0.005}, "count": 1000}]}
/// "adjacency" (add-remove; also replace-one, zero-out), "group" (how many records change at once: 1), "sampling" and
/// "count" (1) may be left out; a sampling is
/// {"poisson": rate}, {"without_replacement": share} or {"batch": size, "dataset": size}; the other fields of a
/// mechanism are the words that entry_from_text() reads, those of sampling ("q", "sampler", "batch", ...) where there
/// is no "sampling"; numbers may be strings, read as there ("256/50000"); lists are arrays, or all from {"file": path};
/// of "gaussian" also "matrix" (a path), "participations" and "min_separation", which give its sensitivity. {"tries":
/// law, "mechanisms": [...]} is a private selection, as a mechanism or as the whole. "assumed_sampler" names the one
/// that was taken for granted where nobody named any: answers say so. Nothing else is accepted, no field twice. Throws
/// ReadError, with line and column where the text is not JSON, with the place (mechanisms[0].sampling) otherwise; also
/// where the text names other neighbours than are asked about. Throws MissingTheorem, with the place, for a mechanism
/// that no theorem answers for.
[[nodiscard]] Composition composition_from_json(std::string_view text, const AskedNeighbours& asked = {},
                                                FileAccess files = FileAccess::allowed);

/// The composition in that form, in one line. Throws ReadError where a mechanism of it is not written in words, as a
/// program's own.
[[nodiscard]] std::string composition_to_json(const Composition& composition);

/// The entries of the same text, as written, or the one private selection that it is as a whole; their mechanisms are
/// not made, so their ranges are not checked yet. Throws ReadError where composition_from_json() does.
[[nodiscard]] std::vector<Entry> entries_from_json(std::string_view text, const AskedNeighbours& asked = {},
                                                   FileAccess files = FileAccess::allowed);

}  // namespace pld
