#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pld/formats/entry.hpp"

namespace pld {

/// Whether a JSON value has the form of an event of Google's dp-accounting (its to_named_tuple() saved as JSON): an
/// object with "module_name" and "class_name", or an array that begins with these two as json.dump writes a tuple.
bool is_dp_event(const nlohmann::json& value);

/// Its releases as entries, whose mechanisms can be made. Throws ReadError, with the place, for what this library has
/// no law of.
std::vector<Entry> entries_of_dp_event(const nlohmann::json& event);

/// The entries as one event. Quotients (a noise multiplier of a sensitivity) are rounded to the side that gives away
/// more. Throws ReadError for what dp-accounting has no event for. An event names no neighbours: its accountant does.
nlohmann::ordered_json dp_event_of(const std::vector<Entry>& entries);

/// The classes in such an event that are in dp-accounting's repository, and not in its release 0.6.0.
[[nodiscard]] std::vector<std::string> unreleased_classes(const nlohmann::ordered_json& event);

}  // namespace pld
