#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "pld/formats/open_entry.hpp"

namespace pld {

/// Keeps the fields in the order they are written.
using OrderedJson = nlohmann::ordered_json;

/// JSON has no infinities: they are the strings "inf" and "-inf".
OrderedJson json_number(double value);
OrderedJson json_bracket(const Bracket& bracket);

/// The same; "lower" is null where no loss of real neighbours is known.
OrderedJson json_finding(const Finding& finding);

/// The same of a quantity's logarithm.
OrderedJson json_log_finding(const Bracket& log, bool exact);

/// Adds whose number it is: "exact", and "only_guaranteed" where it is.
void add_whose(OrderedJson& fields, const Finding& finding);

/// Adds the sampler that was taken for granted to "assumed", where it is not empty.
void add_assumed_sampler(OrderedJson& fields, const std::string& sampler);

/// What mechanisms were asked with a number open, as a line of a batch has them; and the sampler that is taken for
/// granted in them, or in what selections among them try, empty where there is none.
OrderedJson open_mechanisms_json(const std::vector<OpenEntry>& entries);
std::string assumed_sampler_of(const std::vector<OpenEntry>& entries);

/// Adds "adjacency", and "group" where more than one record changes at once.
void add_neighbours(OrderedJson& fields, const Neighbours& neighbours);

/// Adds what a composition is: "mechanisms" and its neighbours, and where those are not one record added or removed,
/// the text and count of each release for them as "accounted_as".
void add_composition(OrderedJson& fields, const Composition& composition);

/// Adds the rest of what was asked, "asked_direction" and "tolerance", and the "version" that answered.
void add_options(OrderedJson& fields, DirectionChoice direction, double tolerance);

/// The object of answer_json().
OrderedJson answer_fields(const Composition& composition, const EpsilonQuery& query, const Answer& answer,
                          double seconds);
OrderedJson answer_fields(const Composition& composition, const DeltaQuery& query, const DeltaAnswer& answer,
                          double seconds);
/// What the query's one goal limits.
OrderedJson answer_fields(const Composition& composition, const CalibrateQuery& query, const Attained& found,
                          double seconds);
OrderedJson answer_fields(const CalibrateQuery& query, const NamedUnknown& unknown, const Calibration& found,
                          double seconds);

}  // namespace pld
