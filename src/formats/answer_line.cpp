#include "pld/formats/answer_line.hpp"

#include <cmath>

#include "core/standard_arithmetic.hpp"
#include "formats/answered_query.hpp"
#include "formats/json_position.hpp"
#include "formats/strict_json.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {
namespace {

/// Whether digits of it may be lost: above 2^53 not all whole numbers are doubles.
bool is_too_long(const nlohmann::json& id) { return id.is_number_float() && !(std::fabs(id.get<double>()) <= 0x1p53); }

/// Nothing nested: what a line sends back costs no more than what it holds. A null is that of a row without one.
bool is_of_id_type(const nlohmann::json& id) { return id.is_string() || id.is_number() || id.is_null(); }

const nlohmann::json& id_of(const nlohmann::json& id) {
  if (is_too_long(id))
    throw ReadError("query", "id", "a number of too many digits", "a string, or a number that comes back as written");
  if (!is_of_id_type(id)) throw ReadError("query", "id", excerpt(id), "a string or a number");
  return id;
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
    if (!object.is_object()) require_object(object, {}, "query");
    if (object.contains("id")) answer["id"] = id_of(object["id"]);
    answer.update(with_positions(line, [&] { return answered_query(object, files); }));
  } catch (const std::exception& error) {
    if (!answer.contains("id")) answer["id"] = id_in(line);
    if (number > 0) answer["line"] = number;
    answer["error"] = without_line(error.what());
  }
  return line_of(answer);
}

}  // namespace pld
