#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pld/formats/file_access.hpp"

namespace pld {

/// Answers one query of a batch: a JSON object such as
///   {"id": 7, "query": "epsilon", "delta": 1e-6, "mechanisms": [{"type": "gaussian", "sigma": 0.8}]}
/// "query" is "epsilon" (with "delta"), "delta" (with "epsilon"), "advantage", "tpr" (with "fpr"), "mu" or "rho" (see
/// Attained), or "calibrate" (with "epsilon" and "delta", "advantage", "fpr" and "tpr", "mu", "rho", or "targets", an
/// array of objects with these; and with one number of the mechanisms written "?", see unknown_of()); the mechanisms
/// are those of composition_from_json(); "tolerance", "direction", "engine" and "id" (a string or a number, returned as
/// it came) may be left out. Returns answer_json() with the id in front, or {"id": ..., "line": number, "error": "..."}
/// for a line that cannot be answered, its id as far as it can be read, without "line" where `number` is 0; no line
/// end. Does not throw.
[[nodiscard]] std::string answer_line(std::string_view line, FileAccess files = FileAccess::forbidden,
                                      std::int64_t number = 0);

}  // namespace pld
