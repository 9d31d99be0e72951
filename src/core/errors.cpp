#include "pld/core/errors.hpp"

#include <regex>
#include <utility>

#include "core/number_text.hpp"
#include "core/printable.hpp"

namespace pld {
namespace {

/// What follows "must be" for a rule that was written as a formula: "above 0 and below 1" for "0 < delta < 1", "> 0 and
/// finite" for "sigma > 0 and finite". Other rules stay as they are.
std::string predicate(const std::string& argument, const std::string& rule) {
  static const std::regex between(R"(([^<>=,:]+) (<=?) ([^<>=,:]+) (<=?) (\S+?)(([ ,:].*)?))"),
      one_sided(R"((\S+) ((<|<=|>|>=) .*))");
  // A list is called by the plural of its numbers' name.
  const auto is_argument = [&](const std::string& name) { return argument.starts_with(name); };
  std::smatch part;
  if (std::regex_match(rule, part, between)) {
    if (!is_argument(part[3])) return "such that " + rule;
    const bool from = part[2] == "<=", to = part[4] == "<=";
    const std::string low = part[1], high = part[5].str() + part[6].str();
    if (from && to) return "from " + low + " to " + high;
    return (from ? "at least " : "above ") + low + (to ? " and at most " : " and below ") + high;
  }
  if (std::regex_match(rule, part, one_sided)) return is_argument(part[1]) ? part[2].str() : "such that " + rule;
  return rule.starts_with(argument + " = ") ? rule.substr(argument.size() + 3) : rule;
}

}  // namespace

DomainError::DomainError(std::string where, std::string argument, std::string value, std::string accepted)
    : std::domain_error(
          printable(where + ": " + argument + " is " + value + ", but must be " + predicate(argument, accepted))),
      where_(std::move(where)),
      argument_(std::move(argument)),
      value_(std::move(value)),
      accepted_(std::move(accepted)) {}

MissingTheorem MissingTheorem::placed_in(const std::string& place) const {
  return {place + ": " + where(), argument(), value(), accepted()};
}

void require(bool holds, const char* where, const char* argument, double value, const char* accepted) {
  if (!holds) throw DomainError(where, argument, number_text(value), accepted);
}

}  // namespace pld
