#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pld/formats/file_access.hpp"

namespace pld {

/// Answers one query of a batch: a JSON object such as
///   {"id": 7, "query": "epsilon", "delta": 1e-6, "mechanisms": [{"type": "gaussian", "sigma": 0.8}]}
/// "query" is "epsilon" (with "delta"), "delta" (with "epsilon"), "advantage", "tpr" (with "fpr"), "mu" or "rho" (see
/// Attained). Or it is "calibrate", with "epsilon" and "delta", "advantage", "fpr" and "tpr", "mu" or "rho". "targets"
/// may be an array of objects with these. One number of its mechanisms is "?", see unknown_of(). The mechanisms
/// are those of composition_from_json(); "tolerance", "direction", "engine" and "id" (a string or a number, returned as
/// it came) may be left out. Returns answer_json() with the id in front, or {"id": ..., "line": number, "error": "..."}
/// for a line that cannot be answered, its id as far as it can be read, without "line" where `number` is 0; no line
/// end. Does not throw.
[[nodiscard]] std::string answer_line(std::string_view line, FileAccess files = FileAccess::forbidden,
                                      std::int64_t number = 0);

}  // namespace pld
