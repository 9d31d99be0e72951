#include "formats/read_number.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "core/dashes.hpp"
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

/// A decimal; NaN for what is none. The error is that of std::from_chars.
struct ReadDecimal {
  double value = std::numeric_limits<double>::quiet_NaN();
  std::errc error{};
};

ReadDecimal decimal_from_text(std::string_view text) {
  std::string digits(without_plus(text));
  if (digits.ends_with('%') && digits.find_first_of("eE") == std::string::npos)
    digits.replace(digits.size() - 1, 1, "e-2");
  ReadDecimal read;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), read.value);
  if (end != digits.data() + digits.size()) return {};
  read.error = error;
  return read;
}

/// A decimal, or a quotient of two. 1/2% would be half a percent to its writer, and a quotient 50.
ReadDecimal quotient_from_text(std::string_view text) {
  const auto slash = text.find('/');
  if (slash != std::string_view::npos && text.find('%') != std::string_view::npos) return {};
  const ReadDecimal read = decimal_from_text(text.substr(0, slash));
  if (slash == std::string_view::npos || read.error != std::errc()) return read;
  const ReadDecimal divisor = decimal_from_text(text.substr(slash + 1));
  return {read.value / divisor.value, divisor.error};
}

/// "1e-6" of "10^-6", "10**-6" and "1x10^-6"; other text as it is.
std::string with_exponent(std::string text) {
  for (const std::string_view power : {"10^", "10**"}) {
    const auto ten = text.find(power);
    if (ten == std::string::npos) continue;
    std::string factor = text.substr(0, ten);
    for (const std::string_view times : {"×", "·", "*", "x"})
      if (factor.ends_with(times)) factor.resize(factor.size() - times.size());
    return (factor.empty() ? "1" : factor) + "e" + text.substr(ten + power.size());
  }
  return text;
}

/// A hint for a number with marks between its digits, blanks around them or a power of ten, for a percentage that is
/// none, and for words after a number or in its place. Empty for other text.
std::string hint_of_marks(std::string_view text) {
  if (const auto equals = text.find('='); equals != std::string_view::npos)
    return text.substr(0, equals).find(':') != std::string_view::npos ? " (a mechanism: is the option's value missing?)"
                                                                      : " (parts are joined by commas)";
  if (text.find(',') != std::string_view::npos) return " (decimals take a point, and thousands no mark)";
  if (text.ends_with('%')) {
    const std::string_view share = text.substr(0, text.size() - 1);
    if (std::isfinite(quotient_from_text(share).value)) return " (a percentage is one number without an exponent)";
  }
  std::string plain(text);
  std::erase_if(plain, [](char c) { return c == '_' || c == ' ' || c == '\''; });
  plain = with_exponent(std::move(plain));
  if (plain == text || !std::isfinite(quotient_from_text(plain).value)) return {};
  return " (did you mean " + plain + "?)";
}

/// `besides`: what is accepted where it is no finite number.
double number_from_text(std::string_view text, const std::string& where, const std::string& what,
                        const std::string& besides) {
  const ReadDecimal read = quotient_from_text(text);
  if (read.error == std::errc::result_out_of_range)
    throw ReadError(where, what, quoted(text), "0 or of a magnitude from 4.94e-324 to 1.79e308" + besides);
  if (!std::isfinite(read.value)) {
    if (text.find('?') != std::string_view::npos)
      throw ReadError(
          where, what, quoted(text),
          "a finite number: ? is one of a mechanism's, which `pld calibrate` finds, written ? or ?*FACTOR" + besides);
    const std::string dash(other_dash_in(text));
    throw ReadError(where, what, quoted(text) + hint_of_marks(text),
                    "a finite number, as 1e-5 or 1/60000" +
                        (dash.empty() ? dash : ", written with the keyboard's '-' instead of '" + dash + "'") +
                        besides);
  }
  return read.value + 0.0;  // 0 of -0
}

}  // namespace

double finite_from_text(std::string_view text, const std::string& where, const std::string& what) {
  const StandardArithmetic arithmetic;
  return number_from_text(text, where, what, "");
}

double extended_from_text(std::string_view text, const std::string& where, const std::string& what) {
  const StandardArithmetic arithmetic;
  if (const auto infinite = infinity_from_text(text)) return *infinite;
  return number_from_text(text, where, what, ", or inf or -inf");
}

std::vector<double> list_from_text(std::string_view text, const std::string& where, const std::string& what) {
  std::vector<double> values;
  while (true) {
    const auto slash = text.find('/');
    values.push_back(finite_from_text(text.substr(0, slash), where, what));
    if (slash == std::string_view::npos) return values;
    text.remove_prefix(slash + 1);
  }
}

std::int64_t count_from_number(double value, const std::string& where) {
  return count_from_number(value, where, number_text(value));
}

std::int64_t count_from_number(double value, const std::string& where, const std::string& written) {
  const StandardArithmetic arithmetic;
  if (!(value >= 0 && value <= static_cast<double>(Composition::max_count) && value == std::floor(value)))
    throw ReadError(where, "count", written, "a whole number from 0 to 1e12");
  return static_cast<std::int64_t>(value);
}

}  // namespace pld
