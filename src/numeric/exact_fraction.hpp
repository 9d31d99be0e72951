#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace pld {

/// Fractions of whole numbers of any length: sums and products of doubles without any rounding.
using Fraction = boost::multiprecision::cpp_rational;

/// Exactly the double. Throws DomainError where it is not finite.
[[nodiscard]] Fraction fraction_of(double x);

/// The decimal that reads back as the double, where one of at most 15 digits does: what a person wrote. Else exactly
/// the double. Increasing. Domain: finite.
[[nodiscard]] Fraction decimal_of(double x);

/// "3/5000", "7"; and back: nothing for any other text, or one of more than 2000 characters.
[[nodiscard]] std::string text_of(const Fraction& x);
[[nodiscard]] std::optional<Fraction> fraction_from_text(std::string_view text);

/// x while it is short; else a fraction of 192 bits that is no less, and more by a part in 2^190 at most. A sum of a
/// million terms so treated is exact while its terms have few denominators, and an upper bound after. Domain: x >= 0.
[[nodiscard]] Fraction shortened_up(const Fraction& x);
/// The same from below: no more than x, and less by a part in 2^190 at most.
[[nodiscard]] Fraction shortened_down(const Fraction& x);

/// The least double that is no less, the largest that is no more; +inf and the largest double beyond the range.
/// Domain: x >= 0.
[[nodiscard]] double double_above(const Fraction& x);
[[nodiscard]] double double_below(const Fraction& x);

/// The same of the doubles' decimals: the least that is no less, the largest that is no more.
[[nodiscard]] double decimal_above(const Fraction& x);
[[nodiscard]] double decimal_below(const Fraction& x);

}  // namespace pld
