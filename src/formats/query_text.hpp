#pragma once

#include <string>
#include <vector>

#include "pld/account/query.hpp"
#include "pld/core/direction.hpp"
#include "pld/core/relation.hpp"

namespace pld {

/// "worst", "remove" or "add". Throws ReadError naming `where` and these for anything else.
[[nodiscard]] DirectionChoice direction_from_text(const std::string& text, const std::string& where);

/// "add-remove", "replace-one" or "zero-out". Throws ReadError naming `where` and these for anything else.
[[nodiscard]] Relation relation_from_text(const std::string& text, const std::string& where);

/// "auto", "lattice", "contour" or "closed-form". Throws ReadError naming `where` and these for anything else.
[[nodiscard]] Engine engine_from_text(const std::string& text, const std::string& where);

/// What these accept, in the order in which it is listed to a person.
[[nodiscard]] std::vector<std::string> direction_names();
[[nodiscard]] std::vector<std::string> relation_names();
[[nodiscard]] std::vector<std::string> engine_names();

}  // namespace pld
