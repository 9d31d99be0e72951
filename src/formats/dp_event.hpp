#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pld/core/relation.hpp"
#include "pld/formats/entry.hpp"

namespace pld {

/// The releases of an event (is_dp_event()) as entries, whose mechanisms can be made. Under some relations an event
/// means another law, or none (docs/dp_events.md). Throws ReadError, with the place, for what this library has no law
/// of.
std::vector<Entry> entries_of_dp_event(const nlohmann::json& event, Relation relation);

/// The entries as one event, to be read under that relation, which an event does not name: its accountant does.
/// Quotients (a noise multiplier of a sensitivity) are rounded to the side that gives away more. Throws ReadError for
/// what dp-accounting has no event for.
nlohmann::ordered_json dp_event_of(const std::vector<Entry>& entries, Relation relation);

/// The classes in such an event that are in dp-accounting's repository, and not in its release 0.6.0.
[[nodiscard]] std::vector<std::string> unreleased_classes(const nlohmann::ordered_json& event);

}  // namespace pld
