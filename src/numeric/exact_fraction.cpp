#include "numeric/exact_fraction.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

using Whole = boost::multiprecision::cpp_int;

constexpr std::size_t longest_text = 2000, digits_of_people = 15;

int bits(const Whole& x) { return x == 0 ? 0 : static_cast<int>(msb(x)) + 1; }

/// 2^shift times x, rounded down; `rest` is whether that dropped anything.
Whole scaled(const Fraction& x, int shift, bool& rest) {
  Whole top = numerator(x), bottom = denominator(x);
  if (shift >= 0)
    top <<= static_cast<unsigned>(shift);
  else
    bottom <<= static_cast<unsigned>(-shift);
  Whole quotient, remainder;
  divide_qr(top, bottom, quotient, remainder);
  rest = remainder != 0;
  return quotient;
}

/// The shift that leaves x with `digits` bits or one more.
int shift_to(const Fraction& x, int digits) { return digits - (bits(numerator(x)) - bits(denominator(x))); }

/// x while it is short; else its first bits, and where that dropped anything `more` units of the last one.
Fraction shortened(const Fraction& x, int more) {
  constexpr int long_enough = 1024, kept = 192;
  if (bits(numerator(x)) + bits(denominator(x)) <= long_enough) return x;
  const int shift = shift_to(x, kept);
  bool rest = false;
  Whole quotient = scaled(x, shift, rest);
  if (rest) quotient += more;
  const Whole power = Whole(1) << static_cast<unsigned>(std::abs(shift));
  return shift >= 0 ? Fraction(quotient, power) : Fraction(quotient * power);
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

Fraction fraction_of(double x) {
  require(std::isfinite(x), "fraction", "number", x, "finite");
  constexpr int digits = std::numeric_limits<double>::digits;
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), digits));
  const int shift = exponent - digits;
  const Whole power = Whole(1) << static_cast<unsigned>(std::abs(shift));
  return shift < 0 ? Fraction(mantissa, power) : Fraction(power * mantissa);
}

Fraction decimal_of(double x) {
  if (x < 0) return -decimal_of(-x);
  std::array<char, 32> text;
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::scientific);
  const std::string_view written(text.data(), static_cast<std::size_t>(end - text.data()));
  const auto e = written.find('e');
  std::string digits(written.substr(0, e));
  if (digits.size() > 1) digits.erase(1, 1);  // the point
  if (digits.size() > digits_of_people) return fraction_of(x);
  const int exponent = std::stoi(std::string(written.substr(e + 1))) - static_cast<int>(digits.size()) + 1;
  const Whole power = pow(Whole(10), static_cast<unsigned>(std::abs(exponent)));
  return exponent < 0 ? Fraction(Whole(digits), power) : Fraction(Whole(digits) * power);
}

std::string text_of(const Fraction& x) {
  std::string text = numerator(x).str();
  return denominator(x) == 1 ? text : text + "/" + denominator(x).str();
}

std::optional<Fraction> fraction_from_text(std::string_view text) {
  const auto slash = text.find('/');
  const std::string_view top = text.substr(0, slash);
  const std::string_view bottom = slash == std::string_view::npos ? "1" : text.substr(slash + 1);
  if (text.size() > longest_text || !all_digits(top) || !all_digits(bottom)) return std::nullopt;
  // A leading 0 would make it octal.
  const auto whole = [](std::string_view digits) {
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size() - 1));
    return Whole(std::string(digits));
  };
  const Whole denominator = whole(bottom);
  if (denominator == 0) return std::nullopt;
  return Fraction(whole(top), denominator);
}

Fraction shortened_up(const Fraction& x) { return shortened(x, 1); }
Fraction shortened_down(const Fraction& x) { return shortened(x, 0); }

double double_below(const Fraction& x) {
  if (x == 0) return 0;
  using Double = std::numeric_limits<double>;
  // No more digits than a double has there, so that ldexp is exact.
  int shift = std::min(shift_to(x, Double::digits), Double::digits - Double::min_exponent);
  bool rest = false;
  Whole quotient = scaled(x, shift, rest);
  if (bits(quotient) > Double::digits) quotient >>= 1, --shift;
  if (bits(quotient) - shift > Double::max_exponent) return Double::max();
  return std::ldexp(static_cast<double>(static_cast<std::uint64_t>(quotient)), -shift);
}

double double_above(const Fraction& x) {
  const double below = double_below(x);
  return fraction_of(below) == x ? below : std::nextafter(below, infinity);
}

// A decimal and its double have no other double between them.

double decimal_above(const Fraction& x) {
  double found = double_below(x);
  while (found < infinity && decimal_of(found) < x) found = std::nextafter(found, infinity);
  return found;
}

double decimal_below(const Fraction& x) {
  double found = std::min(double_above(x), std::numeric_limits<double>::max());
  while (decimal_of(found) > x) found = std::nextafter(found, 0);
  return found;
}

}  // namespace pld
