#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pld/core/relation.hpp"
#include "pld/formats/entry.hpp"

namespace pld {

/// An event that is no composition, sample or selection, and where it stands.
struct EventRelease {
  const nlohmann::json& event;  ///< an object
  const std::string& where;
  Relation relation = Relation::add_remove;  ///< which data sets are neighbours
  bool on_sample = false;                    ///< of records, not of all data
};

/// What it releases: one entry, or none where nothing is told. What has no noise tells all, as dp_accounting has it.
/// Throws ReadError, with the place, for what has no law under the relation or on a sample, and for numbers out of
/// range.
[[nodiscard]] std::vector<Entry> entries_of_release(const EventRelease& release);

/// Of what tells all: delta is 1 at every epsilon.
[[nodiscard]] Entry entry_that_tells_all();
[[nodiscard]] bool tells_all(const Entry& entry);

/// A share of records from 0 to 1. Throws ReadError.
[[nodiscard]] double share_field(const nlohmann::json& event, const char* field, const std::string& where);

}  // namespace pld
