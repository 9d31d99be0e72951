#pragma once

#include <optional>
#include <string>

#include "pld/formats/entry.hpp"

namespace pld {

/// What describe() writes of a private selection, read again; nothing of other texts, or where what is tried is not
/// written in words.
[[nodiscard]] std::optional<Entry> selection_from_text(const std::string& text);

}  // namespace pld
