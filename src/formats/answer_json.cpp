#include "pld/formats/answer_json.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/number_text.hpp"
#include "core/standard_arithmetic.hpp"
#include "formats/answer_fields.hpp"
#include "formats/composition_fields.hpp"
#include "formats/goal_json.hpp"
#include "formats/training_run.hpp"
#include "pld/version.hpp"
#include "sampling/schemes.hpp"

namespace pld {
namespace {

/// Of pairs that only dominate, which say nothing from below.
OrderedJson json_upper_bound(const Bracket& bracket) {
  return json_finding({{-infinity, bracket.estimate, bracket.upper}, false});
}

template <class Query>
OrderedJson with_origin(OrderedJson fields, const Composition& composition, const Query& query, const Answer& answer,
                        double seconds) {
  fields["direction"] = name(answer.direction);
  fields["engine"] = name(answer.engine);
  fields["converged"] = answer.converged;
  add_whose(fields, answer);
  if (answer.renyi_routes)
    fields["renyi_routes"] = {{"added_first", json_upper_bound(answer.renyi_routes->added_first)},
                              {"converted_first", json_upper_bound(answer.renyi_routes->converted_first)}};
  fields["seconds"] = seconds;
  add_composition(fields, composition);
  add_options(fields, query.direction, query.tolerance);
  return fields;
}

}  // namespace

OrderedJson json_number(double value) {
  return std::isfinite(value) ? OrderedJson(value) : OrderedJson(number_text(value));
}

void add_whose(OrderedJson& fields, const Finding& finding) {
  fields["exact"] = finding.exact;
  if (finding.only_guaranteed) fields["only_guaranteed"] = true;
}

void add_assumed_sampler(OrderedJson& fields, const std::string& sampler) {
  if (!sampler.empty()) fields["assumed"]["sampler"] = sampler;
}

void add_neighbours(OrderedJson& fields, const Neighbours& neighbours) {
  fields["adjacency"] = name(neighbours.relation);
  if (neighbours.group > 1) fields["group"] = neighbours.group;
}

void add_composition(OrderedJson& fields, const Composition& composition) {
  fields["mechanisms"] = mechanisms_json(composition);
  add_neighbours(fields, composition.neighbours());
  if (composition.neighbours() == Neighbours()) return;
  OrderedJson releases = OrderedJson::array();
  for (const Release& r : composition.releases())
    releases.push_back({{"mechanism", r.mechanism.law().text},
                        {"count", r.count},
                        {"exact", attained_in_composition(r.mechanism.law().kind.attained)}});
  fields["accounted_as"] = releases;
}

void add_options(OrderedJson& fields, DirectionChoice direction, double tolerance) {
  fields["asked_direction"] = name(direction);
  fields["tolerance"] = tolerance;
  fields["version"] = PLD_VERSION;
}

OrderedJson json_bracket(const Bracket& bracket) {
  return {{"lower", json_number(bracket.lower)},
          {"estimate", json_number(bracket.estimate)},
          {"upper", json_number(bracket.upper)}};
}

OrderedJson json_finding(const Finding& finding) {
  OrderedJson out = json_bracket(finding);
  if (!finding.has_lower()) out["lower"] = nullptr;
  return out;
}

OrderedJson json_log_finding(const Bracket& log, bool exact) {
  OrderedJson out = json_bracket(log);
  if (!exact && log.lower == -infinity) out["lower"] = nullptr;
  return out;
}

OrderedJson answer_fields(const Composition& composition, const EpsilonQuery& query, const Answer& answer,
                          double seconds) {
  return with_origin({{"query", "epsilon"}, {"delta", json_number(query.delta)}, {"epsilon", json_finding(answer)}},
                     composition, query, answer, seconds);
}

OrderedJson answer_fields(const Composition& composition, const DeltaQuery& query, const DeltaAnswer& answer,
                          double seconds) {
  return with_origin({{"query", "delta"},
                      {"epsilon", json_number(query.epsilon)},
                      {"delta", json_finding(answer)},
                      {"log_delta", json_log_finding(answer.log_delta, answer.exact)}},
                     composition, query, answer, seconds);
}

OrderedJson answer_fields(const Composition& composition, const CalibrateQuery& query, const Attained& found,
                          double seconds) {
  OrderedJson asked = goal_json(query.goals.front());
  const std::string quantity = std::prev(asked.end()).key();  // the limit comes last
  OrderedJson fields{{"query", quantity}};
  asked[quantity] = json_finding(found.value);
  fields.update(asked);
  fields["converged"] = found.converged;
  add_whose(fields, found.value);
  fields["seconds"] = seconds;
  add_composition(fields, composition);
  add_options(fields, query.direction, query.tolerance);
  return fields;
}

namespace {

/// A mechanism with its open numbers, as a line of a batch has it.
OrderedJson open_entry_json(const OpenEntry& open) {
  OrderedJson out = entry_json(open.entry);
  for (const OpenEntry& tried : open.tried) out["mechanisms"].push_back(open_entry_json(tried));
  out.erase("assumed_sampler");  // the answer's own field says so
  const bool of_any_rate = open.entry.epochs && std::any_of(open.open.begin(), open.open.end(), [](const auto& one) {
                             return one.first == "batch" || sampling_number_of_word(one.first) != nullptr;
                           });
  if (open.open.contains("batch")) {
    out["sampler"] = sampler_name_of(open.entry);
    out["dataset"] = open.entry.sizes.at("dataset");
    if (open.entry.sampling.contains("largest_batch")) out["cap"] = open.entry.sampling.at("largest_batch");
    out.erase("sampling");
  }
  if (open.open.contains("epochs") || of_any_rate) out.erase("count");  // which is of no epochs or rate in particular
  if (of_any_rate) out["epochs"] = *open.entry.epochs;
  for (const auto& [field, factor] : open.open) {
    const std::string text = factor == 1 ? "?" : "?*" + number_text(factor);
    if (const SamplingNumber* const number = sampling_number_of_word(field))
      out["sampling"][number->field] = text;
    else
      out[field] = text;
  }
  return out;
}

}  // namespace

OrderedJson open_mechanisms_json(const std::vector<OpenEntry>& entries) {
  OrderedJson mechanisms = OrderedJson::array();
  for (const OpenEntry& open : entries) mechanisms.push_back(open_entry_json(open));
  return mechanisms;
}

std::string assumed_sampler_of(const std::vector<OpenEntry>& entries) {
  for (const OpenEntry& open : entries) {
    const std::string own = assumed_sampler_of(std::vector{open.entry});
    if (const std::string found = own.empty() ? assumed_sampler_of(open.tried) : own; !found.empty()) return found;
  }
  return {};
}

namespace {

OrderedJson json_trial(const Trial& trial) {
  OrderedJson attained = OrderedJson::array();
  for (const Attained& one : trial.attained) {
    attained.push_back(json_finding(one.value));
    add_whose(attained.back(), one.value);
  }
  return {{"value", json_number(trial.value)}, {"attained", attained}};
}

}  // namespace

OrderedJson answer_fields(const CalibrateQuery& query, const NamedUnknown& unknown, const Calibration& found,
                          double seconds) {
  OrderedJson targets = OrderedJson::array();
  for (const Goal& goal : query.goals) targets.push_back(goal_json(goal));
  OrderedJson next = nullptr;
  if (found.next) {
    next = json_trial(*found.next);
    next["fails"] = found.next_fails;
  }
  OrderedJson fields{{"query", "calibrate"},
                     {"unknown", unknown.name},
                     {"written", unknown.written},
                     {"targets", targets},
                     {"value", json_number(found.chosen.value)},
                     {"chosen", json_trial(found.chosen)},
                     {"next", next}};
  if (found.failing) fields["failing"] = json_trial(*found.failing);
  fields["trials"] = found.trials;
  fields["converged"] = found.converged;
  fields["seconds"] = seconds;
  fields["mechanisms"] = open_mechanisms_json(unknown.entries);
  add_neighbours(fields, unknown.unknown.safest.neighbours());
  add_options(fields, query.direction, query.tolerance);
  add_assumed_sampler(fields, assumed_sampler_of(unknown.entries));
  return fields;
}

std::string answer_json(const Composition& composition, const EpsilonQuery& query, const Answer& answer, double seconds,
                        const std::string& assumed_sampler) {
  const StandardArithmetic arithmetic;
  OrderedJson fields = answer_fields(composition, query, answer, seconds);
  add_assumed_sampler(fields, assumed_sampler);
  return fields.dump();
}

std::string answer_json(const Composition& composition, const DeltaQuery& query, const DeltaAnswer& answer,
                        double seconds, const std::string& assumed_sampler) {
  const StandardArithmetic arithmetic;
  OrderedJson fields = answer_fields(composition, query, answer, seconds);
  add_assumed_sampler(fields, assumed_sampler);
  return fields.dump();
}

std::string answer_json(const CalibrateQuery& query, const NamedUnknown& unknown, const Calibration& found,
                        double seconds) {
  const StandardArithmetic arithmetic;
  return answer_fields(query, unknown, found, seconds).dump();
}

}  // namespace pld
