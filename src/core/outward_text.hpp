#pragma once

#include <string>

namespace pld {

/// Decimals of a person's length that keep a bound's promise: the smallest number of `digits` significant digits that
/// is not below the value, the largest that is not above it. A reader that rounds correctly gets no less (no more)
/// back. Where a decimal of at most 15 digits, and no more than asked, reads back as the double, it is that one: "2.56"
/// of the double next to it. As %g writes them, with the zeros they end in; infinities as "inf" and "-inf". In any
/// locale and rounding mode. Domain: 1
/// <= digits <= 17, no NaN.
[[nodiscard]] std::string text_up(double value, int digits);
[[nodiscard]] std::string text_down(double value, int digits);

}  // namespace pld
