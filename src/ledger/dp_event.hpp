#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "pld/compose/composition.hpp"

namespace pld {

/// Whether a JSON value has the form of an event of Google's dp-accounting (its to_named_tuple() saved as JSON): an
/// object with "module_name" and "class_name", or an array that begins with these two as json.dump writes a tuple.
bool is_dp_event(const nlohmann::json& value);

/// Its composition. Throws ReadError, with the place, for what this library has no law of.
Composition composition_of_dp_event(const nlohmann::json& event, Relation relation);

}  // namespace pld
