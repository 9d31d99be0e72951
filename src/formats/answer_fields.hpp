#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "pld/account/query.hpp"
#include "pld/calibrate/calibrate.hpp"

namespace pld {

/// Keeps the fields in the order they are written.
using OrderedJson = nlohmann::ordered_json;

/// JSON has no infinities: they are the strings "inf" and "-inf".
OrderedJson json_number(double value);
OrderedJson json_bracket(const Bracket& bracket);

/// The same; "lower" is null where no loss of real neighbours is known.
OrderedJson json_finding(const Finding& finding);

/// Adds "adjacency" and, as "accounted_as", the text and count of each release under it, where it is not add-remove.
void add_adjacency(OrderedJson& fields, const Composition& composition);

/// The object of answer_json().
OrderedJson answer_fields(const EpsilonQuery& query, const Answer& answer, double seconds);
OrderedJson answer_fields(const DeltaQuery& query, const DeltaAnswer& answer, double seconds);
OrderedJson answer_fields(const CalibrateQuery& query, const std::string& unknown, const Calibration& found,
                          double seconds);

}  // namespace pld
