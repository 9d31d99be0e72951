#include "formats/written_number.hpp"

#include "formats/fields.hpp"
#include "formats/read_number.hpp"
#include "formats/strict_json.hpp"

namespace pld {
namespace {

/// The field's text; null where it is missing or no string.
const std::string* text_of(const nlohmann::json& object, const std::string& field) {
  const auto found = object.find(field);
  return found == object.end() ? nullptr : found->get_ptr<const std::string*>();
}

}  // namespace

double written_number(const nlohmann::json& object, const std::string& field, const std::string& where) {
  const std::string* const text = text_of(object, field);
  return text == nullptr ? number_field(object, field, where) : finite_from_text(*text, where, field);
}

double written_share(const nlohmann::json& object, const std::string& field, const std::string& where) {
  const std::string* const text = text_of(object, field);
  return text == nullptr ? number_field(object, field, where) : share_from_text(*text, where, field);
}

std::vector<double> written_numbers(const nlohmann::json& object, const std::string& field, const std::string& where) {
  if (const std::string* const text = text_of(object, field)) return list_from_text(*text, where, field);
  std::vector<double> numbers;
  for (const auto& value : array_field(object, field, where)) {
    const std::string place = field + "[" + std::to_string(numbers.size()) + "]";
    numbers.push_back(written_number({{place, value}}, place, where));
  }
  return numbers;
}

}  // namespace pld
