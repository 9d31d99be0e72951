#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pld {

/// Parses JSON text. Throws ReadError with line and column for a syntax error, also for an object that has a key twice
/// and for a number outside the range of a double.
nlohmann::json strict_json(std::string_view text);

/// Throws ReadError where strict_json() does, and tells nothing of the text but a line and a column: for files, which
/// may be others than their reader was meant to see.
void require_json(std::string_view text, const std::string& name);

/// A value as it stands in the text, cut short where it is long (what is nested may also be deeper than the stack).
[[nodiscard]] std::string excerpt(const nlohmann::json& value);

/// The same of a number, as messages write doubles; of a whole one all its digits, which a double may not hold.
[[nodiscard]] std::string number_excerpt(const nlohmann::json& number);

/// What was likely meant by a field that is not known, where that is none of the accepted; else empty.
using FieldHint = std::function<std::string(const std::string& field)>;

/// Throws ReadError unless `value` is an object with no other fields than the `accepted`; UnknownField for such a
/// field.
void require_object(const nlohmann::json& value, const std::vector<std::string>& accepted, const std::string& where,
                    const FieldHint& hint = {});

/// Throw ReadError unless `object` has `field` with a value of that kind.
double number_field(const nlohmann::json& object, const std::string& field, const std::string& where);
std::string text_field(const nlohmann::json& object, const std::string& field, const std::string& where);
std::vector<double> numbers_field(const nlohmann::json& object, const std::string& field, const std::string& where);
const nlohmann::json& array_field(const nlohmann::json& object, const std::string& field, const std::string& where);

}  // namespace pld
