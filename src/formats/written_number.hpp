#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace pld {

/// Numbers of JSON that a person writes: a number, or a string that says it as the command line does ("1/60000",
/// "0.5%"). Throw ReadError unless `object` has `field` with such a value.
double written_number(const nlohmann::json& object, const std::string& field, const std::string& where);

/// The same of a sampling rate, by share_from_text(): a quotient is rounded up.
double written_share(const nlohmann::json& object, const std::string& field, const std::string& where);

/// An array of such numbers, or a string that lists them as the command line does ("0/1/2").
std::vector<double> written_numbers(const nlohmann::json& object, const std::string& field, const std::string& where);

}  // namespace pld
