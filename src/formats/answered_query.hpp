#pragma once

#include <nlohmann/json.hpp>

#include "formats/answer_fields.hpp"
#include "pld/formats/file_access.hpp"

namespace pld {

/// Answers the object of a line of a batch (see answer_line()), without its id. Throws ReadError and DomainError where
/// it cannot be answered, MissingTheorem where no theorem answers, TimeIsUp where nothing is known in time.
[[nodiscard]] OrderedJson answered_query(const nlohmann::json& object, FileAccess files);

}  // namespace pld
