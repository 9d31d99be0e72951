#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pld/account/composition.hpp"
#include "pld/formats/asked_neighbours.hpp"
#include "pld/formats/entry.hpp"
#include "pld/formats/file_access.hpp"
#include "pld/formats/open_entry.hpp"

namespace pld {

/// One mechanism of a ledger, an object or the command line's words, and back. Throws ReadError.
Entry entry_from(const nlohmann::json& object, const std::string& where, FileAccess files);

/// A private selection's law and count, without what it tries, of which there must be some. Throws ReadError.
Entry selection_fields(const nlohmann::json& object, const std::string& where);
nlohmann::ordered_json entry_json(const Entry& entry);

/// What a composition is made of, as a ledger's "mechanisms"; null where one of its mechanisms is not written in words.
nlohmann::ordered_json mechanisms_json(const Composition& composition);

/// The field "adjacency", or what was asked, or add-remove. Throws ReadError where the two differ.
Relation relation_field(const nlohmann::json& object, const std::string& where, std::optional<Relation> asked = {});

/// The fields "adjacency" and "group". Throws ReadError where they differ from what is asked.
Neighbours neighbours_fields(const nlohmann::json& object, const std::string& where, const AskedNeighbours& asked = {});

/// The field "tries", empty where there is none.
std::string tries_field(const nlohmann::json& object, const std::string& where);

/// What a text composes, and the entries that it is made of.
struct ReadComposition {
  Composition composition;
  std::vector<Entry> entries;
};

/// Reads the fields "adjacency", "group", "tries" and "mechanisms" of an object, see composition_from_json(). Throws
/// ReadError.
ReadComposition composition_fields(const nlohmann::json& object, const std::string& where, FileAccess files);

/// What is released of which a number may be open, to these neighbours.
struct ReadOpenEntries {
  Neighbours neighbours;
  std::vector<OpenEntry> entries;
};

/// What composition_from_json() reads, numbers of which may be "?" or "?*FACTOR"; a selection as a whole is one entry.
ReadOpenEntries read_open_entries(std::string_view text, const AskedNeighbours& asked, FileAccess files);

/// What composition_from_json() reads, and its entries.
ReadComposition read_composition(std::string_view text, const AskedNeighbours& asked, FileAccess files);

}  // namespace pld
