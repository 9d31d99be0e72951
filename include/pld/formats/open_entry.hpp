#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "pld/calibrate/calibrate.hpp"
#include "pld/formats/entry.hpp"
#include "pld/formats/file_access.hpp"
#include "pld/mechanisms/registry.hpp"

namespace pld {

/// An entry some of whose numbers may be left open: "?" is the unknown, "?*2" twice the unknown.
struct OpenEntry {
  Entry entry;
  std::map<std::string, double> open{};  ///< parameter, "q", "wor", "batch", "count" or "epochs" -> its factor, > 0
  std::map<std::string, std::string> words{};  ///< of those that were written by another word, it: "count" -> "steps"
  std::vector<OpenEntry> tried{};              ///< what a private selection tries, in the place of the entry's own
};

/// Whether some number of it is open, or of what it tries.
[[nodiscard]] bool is_open(const OpenEntry& open);

/// The factor of "?" (1) or "?*FACTOR". Throws ReadError for anything else.
[[nodiscard]] double factor_from_text(std::string_view text, const std::string& where, const std::string& what);

/// Opens the number of a word that entry_from_text() reads for the type, of which "?" or "?*FACTOR" is said. Throws
/// ReadError for another text, and for a word that is no single number's.
void leave_open(const MechanismType& type, const std::string& word, std::string_view text, const std::string& where,
                OpenEntry& open);

/// Reads what entry_from_text() reads, and "?" or "?*FACTOR" for numbers. Throws ReadError.
[[nodiscard]] OpenEntry open_entry_from_text(std::string_view word, FileAccess files = FileAccess::allowed);

/// The entry with that number open, whatever it says there: a parameter, a number of its sampling, "rate" (the share of
/// the data that it takes), count, steps or epochs. Throws ReadError for a name that its type does not have, or that is
/// no single number's.
[[nodiscard]] OpenEntry opened(Entry entry, const std::string& key);

/// The entries with their open numbers at a value. Throws ReadError and DomainError where it is none of theirs.
[[nodiscard]] std::vector<Entry> entries_at(const std::vector<OpenEntry>& entries, double value);

/// The composition of the entries with their open numbers at a value. Throws ReadError and DomainError as they do.
[[nodiscard]] Composition composition_at(const std::vector<OpenEntry>& entries, double value,
                                         const Neighbours& neighbours);

/// The composition of the entries as it depends on the unknown, and what the unknown is called ("sigma", "count"), also
/// as it was written ("noise_multiplier", "steps"); "?" where all open numbers are multiples of it.
/// Exactly one number must be "?", or any number of them "?*FACTOR" with parameters that are safer in the same
/// direction; counts, other whole numbers and p take no factor. Throws ReadError.
struct NamedUnknown {
  std::string name;
  Unknown unknown;
  std::vector<OpenEntry> entries;
  std::string written{};
};
[[nodiscard]] NamedUnknown unknown_of(const std::vector<OpenEntry>& entries, const Neighbours& neighbours = {});

}  // namespace pld
