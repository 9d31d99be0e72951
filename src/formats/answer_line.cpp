#include "pld/formats/answer_line.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "calibrate/attained.hpp"
#include "core/number_text.hpp"
#include "core/standard_arithmetic.hpp"
#include "formats/answer_fields.hpp"
#include "formats/composition_fields.hpp"
#include "formats/fields.hpp"
#include "formats/goal_json.hpp"
#include "formats/json_position.hpp"
#include "formats/open_entry_json.hpp"
#include "formats/open_tries.hpp"
#include "formats/query_text.hpp"
#include "formats/read_number.hpp"
#include "formats/strict_json.hpp"
#include "formats/training_run.hpp"
#include "pld/core/errors.hpp"
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

/// Whether digits of it may be lost: above 2^53 not all whole numbers are doubles.
bool is_too_long(const nlohmann::json& id) { return id.is_number_float() && !(std::fabs(id.get<double>()) <= 0x1p53); }

/// Nothing nested: what a line sends back costs no more than what it holds. A null is that of a row without one.
bool is_of_id_type(const nlohmann::json& id) { return id.is_string() || id.is_number() || id.is_null(); }

const nlohmann::json& id_of(const nlohmann::json& id) {
  if (is_too_long(id))
    throw ReadError(where, "id", "a number of too many digits", "a string, or a number that comes back as written");
  if (!is_of_id_type(id)) throw ReadError(where, "id", excerpt(id), "a string or a number");
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

/// Where a word of a mechanism stands that was put beside the query; empty for other fields.
std::string place_of_word(const std::string& field) {
  const std::string word = field == "dataset_size" ? "dataset" : field;
  const std::vector<std::string> words = keys_in_text(mechanism_type("gaussian", where));
  if (std::find(words.begin(), words.end(), word) == words.end()) return {};
  return R"(it belongs to a mechanism: {"type": ..., ")" + word + R"(": ...})";
}

/// Those, and what a query is `given` besides.
void require_fields(const nlohmann::json& object, std::vector<std::string> given) {
  given.insert(given.end(),
               {"id", "query", "adjacency", "group", "tries", "mechanisms", "tolerance", "direction", "engine"});
  require_object(object, given, where, place_of_word);
}

/// Reads the rest of a query, asks it and writes the answer.
template <class Query, class Ask>
OrderedJson answer(const nlohmann::json& object, FileAccess files, Query query, const Ask& ask) {
  read_options(object, query);
  require(query.tolerance > 0, object["query"].get_ref<const std::string&>().c_str(), "tolerance", query.tolerance,
          "tolerance > 0 and finite");
  const auto start = std::chrono::steady_clock::now();
  auto [composition, entries] = composition_fields(object, where, files);
  const std::string assumed = assumed_sampler_of(entries);
  entries = {};  // a hundred thousand hold as much memory as all that is asked of them
  const auto found = ask(composition, query);
  OrderedJson fields = answer_fields(composition, query, found, seconds_since(start));
  add_assumed_sampler(fields, assumed);
  return fields;
}

OrderedJson epsilon_answer(const nlohmann::json& object, FileAccess files) {
  require_fields(object, {"delta"});
  return answer(object, files, EpsilonQuery{.delta = number_field(object, "delta", where)}, epsilon);
}

OrderedJson delta_answer(const nlohmann::json& object, FileAccess files) {
  require_fields(object, {"epsilon"});
  return answer(object, files, DeltaQuery{.epsilon = extended_field(object, "epsilon")}, delta);
}

/// The quantity that a goal limits; the limit itself is not looked at.
OrderedJson quantity_answer(const nlohmann::json& object, FileAccess files, const Goal& goal) {
  constexpr double tolerance = 1e-3;  // as of delta
  const auto ask = [](const Composition& composition, const CalibrateQuery& query) {
    return GoalReader(query).read(composition, query.goals.front(), query.tolerance);
  };
  return answer(object, files, CalibrateQuery{.goals = {goal}, .tolerance = tolerance}, ask);
}

/// One that takes no number of its own.
OrderedJson quantity_of_none(const nlohmann::json& object, FileAccess files, const Goal& goal) {
  require_fields(object, {});
  return quantity_answer(object, files, goal);
}

OrderedJson tpr_answer(const nlohmann::json& object, FileAccess files) {
  require_fields(object, {"fpr"});
  const double fpr = number_field(object, "fpr", where);
  if (!(fpr >= 0 && fpr <= 1)) throw ReadError(where, "fpr", number_text(fpr), "from 0 to 1");
  return quantity_answer(object, files, TestPower{.fpr = fpr});
}

OrderedJson calibrate_answer(const nlohmann::json& object, FileAccess files) {
  std::vector<std::string> given = goal_fields();
  given.emplace_back("targets");
  require_fields(object, given);
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
  const auto start = std::chrono::steady_clock::now();
  std::vector<OpenEntry> entries = open_entries_from(array_field(object, "mechanisms", where), "", files);
  const NamedUnknown unknown =
      unknown_of(selected(std::move(entries), tries_field(object, where), where), neighbours_fields(object, where));
  const Calibration found = calibrate(unknown.unknown, query);
  return answer_fields(query, unknown, found, seconds_since(start));
}

OrderedJson answer_to(const nlohmann::json& object, FileAccess files) {
  const std::string query = text_field(object, "query", where);
  if (query == "epsilon") return epsilon_answer(object, files);
  if (query == "delta") return delta_answer(object, files);
  if (query == "advantage") return quantity_of_none(object, files, Advantage{});
  if (query == "tpr") return tpr_answer(object, files);
  if (query == "mu") return quantity_of_none(object, files, GaussianDp{});
  if (query == "rho") return quantity_of_none(object, files, ZeroConcentratedDp{});
  if (query == "calibrate") return calibrate_answer(object, files);
  throw not_one_of(where, "query", query, {"epsilon", "delta", "advantage", "tpr", "mu", "rho", "calibrate"});
}

/// The id of a line that cannot be answered, as far as it can be read: null where there is none, or two.
nlohmann::json id_in(std::string_view line) {
  using Event = nlohmann::json::parse_event_t;
  nlohmann::json id;
  int ids = 0;
  bool is_id = false;
  const auto read = [&](int depth, Event event, nlohmann::json& parsed) {
    if (depth == 1 && event == Event::key) ids += (is_id = parsed == "id") ? 1 : 0;
    if (depth == 1 && event == Event::value && is_id) id = parsed;
    return depth <= 1;  // nothing nested is kept
  };
  [[maybe_unused]] const nlohmann::json broken = nlohmann::json::parse(line, read, false);
  return ids == 1 && is_of_id_type(id) && !is_too_long(id) ? id : nlohmann::json();
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
    if (!answer.contains("id")) answer["id"] = id_in(line);
    if (number > 0) answer["line"] = number;
    answer["error"] = without_line(error.what());
  }
  return line_of(answer);
}

}  // namespace pld
