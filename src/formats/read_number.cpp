#include "formats/read_number.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>

#include "core/number_text.hpp"
#include "core/standard_arithmetic.hpp"
#include "pld/account/composition.hpp"
#include "pld/core/rounding.hpp"
#include "pld/formats/read_error.hpp"

namespace pld {

namespace {

std::string quoted(std::string_view text) { return std::string("'").append(text).append("'"); }

/// std::from_chars reads no plus sign.
std::string_view without_plus(std::string_view text) {
  return text.size() > 1 && text[0] == '+' && text[1] != '-' ? text.substr(1) : text;
}

std::optional<double> infinity_from_text(std::string_view text) {
  if (text == "inf" || text == "+inf") return infinity;
  if (text == "-inf") return -infinity;
  return std::nullopt;
}

}  // namespace

double finite_from_text(std::string_view text, const std::string& where, const std::string& what) {
  const StandardArithmetic arithmetic;
  double value = 0;
  const std::string_view digits = without_plus(text);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = end == digits.data() + digits.size();
  if (whole && error == std::errc::result_out_of_range) {
    throw ReadError(where, what, quoted(text), "0 or of a magnitude from 4.94e-324 to 1.79e308");
  }
  if (!whole || error != std::errc() || !std::isfinite(value)) {
    throw ReadError(where, what, quoted(text), "a finite number");
  }
  return value;
}

double extended_from_text(std::string_view text, const std::string& where, const std::string& what) {
  const StandardArithmetic arithmetic;
  if (const auto infinite = infinity_from_text(text)) return *infinite;
  try {
    return finite_from_text(text, where, what);
  } catch (const ReadError& error) {
    throw ReadError(std::string(error.what()) + ", or inf or -inf");
  }
}

std::int64_t count_from_number(double value, const std::string& where) {
  const StandardArithmetic arithmetic;
  if (!(value >= 0 && value <= static_cast<double>(Composition::max_count) && value == std::floor(value))) {
    throw ReadError(where, "count", number_text(value), "a whole number from 0 to 1e12");
  }
  return static_cast<std::int64_t>(value);
}

}  // namespace pld
