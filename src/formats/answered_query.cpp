#include "formats/answered_query.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "calibrate/attained.hpp"
#include "core/number_text.hpp"
#include "core/standard_arithmetic.hpp"
#include "formats/composition_fields.hpp"
#include "formats/fields.hpp"
#include "formats/goal_json.hpp"
#include "formats/open_entry_json.hpp"
#include "formats/open_tries.hpp"
#include "formats/query_text.hpp"
#include "formats/read_number.hpp"
#include "formats/strict_json.hpp"
#include "formats/training_run.hpp"
#include "formats/written_number.hpp"
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
  return written_number(object, field, where);
}

/// The fields that every query takes.
template <class Query>
void read_options(const nlohmann::json& object, Query& query) {
  if (object.contains("tolerance")) query.tolerance = written_number(object, "tolerance", where);
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
  return answer(object, files, EpsilonQuery{.delta = written_number(object, "delta", where)}, epsilon);
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
  const double fpr = written_number(object, "fpr", where);
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

}  // namespace

OrderedJson answered_query(const nlohmann::json& object, FileAccess files) {
  const StandardArithmetic arithmetic;
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

}  // namespace pld
