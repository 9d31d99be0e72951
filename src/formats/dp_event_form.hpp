#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace pld {

/// Whether a JSON value has the form of an event of Google's dp-accounting (its to_named_tuple() saved as JSON): an
/// object with "module_name" and "class_name", or an array that begins with these two as json.dump writes a tuple.
bool is_dp_event(const nlohmann::json& value);

/// An event as an object with the fields of its class, whichever form it has. Throws
/// ReadError, with the place, for a class that has no law here, and for fields that are not its own.
nlohmann::json event_object(const nlohmann::json& event, const std::string& where);

}  // namespace pld
