#include "core/range.hpp"

#include <cmath>

#include "core/number_text.hpp"
#include "pld/core/errors.hpp"

namespace pld {
namespace {

/// "1e6" for "1e+06".
std::string short_number(double value) {
  std::string text = number_text(value);
  const std::size_t exponent = text.find('e');
  if (exponent == std::string::npos) return text;
  const std::string sign = text[exponent + 1] == '-' ? "-" : "";
  const std::size_t digits = text.find_first_not_of("+-0", exponent + 1);
  return text.substr(0, exponent + 1) + sign + text.substr(digits);
}

}  // namespace

bool Range::holds(double value) const {
  return std::isfinite(value) && (open ? value > lowest : value >= lowest) && value <= highest &&
         (!whole || value == std::floor(value));
}

std::string Range::text(const std::string& unit) const {
  const auto end = [&](double value) { return short_number(value) + (unit.empty() ? "" : " " + unit); };
  if (highest == infinity) return (open ? "> " : ">= ") + end(lowest) + " and finite";
  const std::string ends = (open ? "> " : "from ") + end(lowest) + (open ? " and up to " : " to ") + end(highest);
  return (whole ? "a whole number " : "") + ends;
}

void require_in(const Range& range, const char* where, const char* argument, double value, const char* why_not_beyond) {
  if (range.holds(value)) return;
  const std::string why = why_not_beyond;
  require(false, where, argument, value, (range.text() + (why.empty() ? "" : " (" + why + ")")).c_str());
}

}  // namespace pld
