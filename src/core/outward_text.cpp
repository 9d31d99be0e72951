#include "core/outward_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>

#include "core/number_text.hpp"

namespace pld {
namespace {

/// |value| = 0.d1 d2 d3 ... 10^exponent, of which so many digits are kept.
struct Decimal {
  std::string digits;
  int exponent = 0;
  bool cut = false;  ///< whether digits other than 0 were left out
};

/// No double has more significant digits.
constexpr int all_digits = 767;

/// |value| in so many significant digits, rounded to nearest, as %e writes it where the point is '.'.
std::string nearest(double value, int digits) {
  char text[all_digits + 16];
  char* const end = text + sizeof text;
  return {text, std::to_chars(text, end, std::fabs(value), std::chars_format::scientific, digits - 1).ptr};
}

/// Of what nearest() writes.
Decimal parsed(const std::string& text) {
  const auto end = text.find('e');
  std::string digits = text.substr(0, end);
  std::erase(digits, '.');
  return {digits, std::atoi(text.c_str() + end + 1) + 1};
}

/// Nothing is rounded here.
Decimal truncated(double value, int kept) {
  Decimal decimal = parsed(nearest(value, all_digits));
  const auto length = static_cast<std::size_t>(kept);
  decimal.cut = decimal.digits.find_first_not_of('0', length) != std::string::npos;
  decimal.digits.resize(length);
  return decimal;
}

/// One more in the last place.
void step_away(Decimal& decimal) {
  auto digit = decimal.digits.rbegin();
  while (digit != decimal.digits.rend() && *digit == '9') *digit++ = '0';
  if (digit != decimal.digits.rend()) {
    ++*digit;
    return;
  }
  decimal.digits.front() = '1';  // 99 is followed by 100, of which the last 0 is dropped
  ++decimal.exponent;
}

std::string scientific(const Decimal& decimal) {
  std::string out = decimal.digits.substr(0, 1);
  if (decimal.digits.size() > 1) out += '.' + decimal.digits.substr(1);
  char exponent[16];
  std::snprintf(exponent, sizeof exponent, "e%+03d", decimal.exponent - 1);
  return out + exponent;
}

/// Plain where %g writes plain.
std::string written(const Decimal& decimal) {
  const auto length = static_cast<int>(decimal.digits.size());
  if (decimal.exponent < -3 || decimal.exponent > length) return scientific(decimal);
  if (decimal.exponent <= 0)
    return "0." + std::string(static_cast<std::size_t>(-decimal.exponent), '0') + decimal.digits;
  const auto point = static_cast<std::size_t>(decimal.exponent);
  return decimal.digits.substr(0, point) + (decimal.exponent < length ? '.' + decimal.digits.substr(point) : "");
}

/// The decimal that the double was read from, where that has at most 15 digits, as what people type: no other of so few
/// digits reads back as it. It stands for that double wherever it is read again, so that no end moves by being printed.
std::optional<Decimal> as_typed(double value, int digits) {
  constexpr int told_apart = 15;
  const std::string text = nearest(value, std::min(digits, told_apart));
  if (number_of(text) != std::fabs(value)) return std::nullopt;
  Decimal decimal = parsed(text);
  decimal.digits.resize(static_cast<std::size_t>(digits), '0');
  return decimal;
}

/// Away from 0 or towards it.
std::string rounded(double value, int digits, bool away) {
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (value == 0) return "0";
  const std::optional<Decimal> typed = as_typed(value, digits);
  Decimal decimal = typed ? *typed : truncated(value, digits);
  if (decimal.cut && away) step_away(decimal);
  std::string text(value < 0 ? 1 : 0, '-');
  return text += written(decimal);
}

}  // namespace

std::string text_up(double value, int digits) { return rounded(value, digits, value > 0); }

std::string text_down(double value, int digits) { return rounded(value, digits, value < 0); }

}  // namespace pld
