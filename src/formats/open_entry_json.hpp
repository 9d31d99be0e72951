#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pld/formats/file_access.hpp"
#include "pld/formats/open_entry.hpp"

namespace pld {

/// Mechanisms of an array in the ledger's form, any number of which may be the string "?" or "?*FACTOR". Throws
/// ReadError, with the place, `begin` and mechanisms[0].
[[nodiscard]] std::vector<OpenEntry> open_entries_from(const nlohmann::json& mechanisms, const std::string& begin,
                                                       FileAccess files);

}  // namespace pld
