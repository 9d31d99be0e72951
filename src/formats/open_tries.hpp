#pragma once

#include <string>
#include <vector>

#include "pld/formats/open_entry.hpp"

namespace pld {

/// The selection from what is tried. Throws ReadError for a law that cannot be read, or that has an unknown.
[[nodiscard]] OpenEntry open_selection(Entry selection, std::vector<OpenEntry> tried, const std::string& where);

/// The entries, or where there are tries the private selection from them: the best of nothing is nothing.
[[nodiscard]] std::vector<Entry> selected(std::vector<Entry> entries, const std::string& tries,
                                          const std::string& where);

/// The same of entries whose numbers may be open.
[[nodiscard]] std::vector<OpenEntry> selected(std::vector<OpenEntry> entries, const std::string& tries,
                                              const std::string& where);

}  // namespace pld
