#include "pld/formats/answer_line.hpp"

#include <chrono>
#include <vector>

#include "core/standard_arithmetic.hpp"
#include "formats/answer_fields.hpp"
#include "formats/composition_fields.hpp"
#include "formats/fields.hpp"
#include "formats/goal_json.hpp"
#include "formats/json_position.hpp"
#include "formats/open_tries.hpp"
#include "formats/query_text.hpp"
#include "formats/read_number.hpp"
#include "formats/strict_json.hpp"
#include "pld/formats/open_entry.hpp"
#include "pld/formats/read_error.hpp"
#include "sampling/schemes.hpp"

namespace pld {

namespace {

constexpr const char* where = "query";

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A number, or one of the strings "inf" and "-inf".
double extended_field(const nlohmann::json& object, const std::string& field) {
  if (object.contains(field) && object[field].is_string())
    return extended_from_text(object[field].get_ref<const std::string&>(), where, field);
  return number_field(object, field, where);
}

/// Nothing nested: what a line sends back costs no more than what it holds.
const nlohmann::json& id_of(const nlohmann::json& id) {
  if (id.is_structured()) throw ReadError(where, "id", std::string("an ") + id.type_name(), "a string or a number");
  return id;
}

/// The fields that every query takes.
template <class Query>
void read_options(const nlohmann::json& object, Query& query) {
  if (object.contains("tolerance")) query.tolerance = number_field(object, "tolerance", where);
  if (object.contains("direction"))
    query.direction = direction_from_text(text_field(object, "direction", where), where);
  if (object.contains("engine")) query.engine = engine_from_text(text_field(object, "engine", where), where);
}

void require_fields(const nlohmann::json& object, const char* given) {
  require_object(
      object, {"id", "query", given, "adjacency", "group", "tries", "mechanisms", "tolerance", "direction", "engine"},
      where);
}

/// Reads the rest of a query, asks it and writes the answer.
template <class Query, class Ask>
OrderedJson answer(const nlohmann::json& object, FileAccess files, Query query, const Ask& ask) {
  read_options(object, query);
  const Composition composition = composition_fields(object, where, files);
  const auto start = std::chrono::steady_clock::now();
  const auto found = ask(composition, query);
  return answer_fields(composition, query, found, seconds_since(start));
}

OrderedJson epsilon_answer(const nlohmann::json& object, FileAccess files) {
  require_fields(object, "delta");
  return answer(object, files, EpsilonQuery{.delta = number_field(object, "delta", where)}, epsilon);
}

OrderedJson delta_answer(const nlohmann::json& object, FileAccess files) {
  require_fields(object, "epsilon");
  return answer(object, files, DeltaQuery{.epsilon = extended_field(object, "epsilon")}, delta);
}

/// A mechanism of the ledger's form, any number of which may be the string "?" or "?*FACTOR".
OpenEntry open_entry_from(nlohmann::json object, const std::string& place, FileAccess files) {
  if (object.is_string())
    return told_with_place(place, [&] { return open_entry_from_text(object.get<std::string>(), files); });
  std::map<std::string, double> open;
  const auto take = [&](const std::string& name, nlohmann::json& value) {
    if (!value.is_string()) return;
    open[name] = factor_from_text(value.get<std::string>(), place, name);
    value = 1;
  };
  if (object.is_object()) {
    for (auto& [field, value] : object.items())
      if (field != "type" && field != "file") take(field, value);
    if (object.contains("sampling") && object["sampling"].is_object())
      for (auto& [field, value] : object["sampling"].items())
        if (const SamplingNumber* const number = sampling_number_of_field(field)) take(number->words.front(), value);
  }
  return {entry_from(object, place, files), open};
}

OrderedJson calibrate_answer(const nlohmann::json& object, FileAccess files) {
  std::vector<std::string> accepted = goal_fields();
  accepted.insert(accepted.end(), {"id", "query", "targets", "adjacency", "group", "tries", "mechanisms", "tolerance",
                                   "direction", "engine"});
  require_object(object, accepted, where);
  CalibrateQuery query{.goals = goals_from(object, where)};
  if (object.contains("targets")) {
    for (const auto& target : array_field(object, "targets", where)) {
      require_object(target, goal_fields(), "target");
      const auto goals = goals_from(target, "target");
      query.goals.insert(query.goals.end(), goals.begin(), goals.end());
    }
  }
  if (query.goals.empty())
    throw ReadError(where, "target", "missing", "given by one or more of " + listed(goal_fields()));
  read_options(object, query);
  std::vector<OpenEntry> entries;
  for (const auto& mechanism : array_field(object, "mechanisms", where))
    entries.push_back(open_entry_from(mechanism, "mechanisms[" + std::to_string(entries.size()) + "]", files));
  const NamedUnknown unknown =
      with_tries(unknown_of(entries, neighbours_fields(object, where)), tries_field(object, where), where);
  const auto start = std::chrono::steady_clock::now();
  const Calibration found = calibrate(unknown.unknown, query);
  return answer_fields(query, unknown, found, seconds_since(start));
}

OrderedJson answer_to(const nlohmann::json& object, FileAccess files) {
  const std::string query = text_field(object, "query", where);
  if (query == "epsilon") return epsilon_answer(object, files);
  if (query == "delta") return delta_answer(object, files);
  if (query == "calibrate") return calibrate_answer(object, files);
  throw not_one_of(where, "query", query, {"epsilon", "delta", "calibrate"});
}

/// Bytes that are no UTF-8 come back as U+FFFD.
std::string line_of(const OrderedJson& answer) {
  return answer.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

}  // namespace

std::string answer_line(std::string_view line, FileAccess files, std::int64_t number) {
  const StandardArithmetic arithmetic;
  OrderedJson answer = OrderedJson::object();
  try {
    const nlohmann::json object = strict_json(line);
    if (!object.is_object()) require_object(object, {}, where);
    if (object.contains("id")) answer["id"] = id_of(object["id"]);
    answer.update(with_positions(line, [&] { return answer_to(object, files); }));
  } catch (const std::exception& error) {
    if (!answer.contains("id")) answer["id"] = nullptr;
    if (number > 0) answer["line"] = number;
    answer["error"] = error.what();
  }
  return line_of(answer);
}

}  // namespace pld
