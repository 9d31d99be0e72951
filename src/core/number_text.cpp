#include "core/number_text.hpp"

#include <charconv>
#include <cmath>

#include "core/standard_arithmetic.hpp"

namespace pld {

std::string number_text(double value) {
  if (value == 0) return "0";  // of either sign
  char text[40];
  char* end = text;
  for (int digits = 6; digits <= 17; ++digits) {
    end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr;
    if (number_of({text, end}) == value || std::isnan(value)) break;
  }
  // As people write it: "1e6" for "1e+06".
  std::string out(text, end);
  if (const std::size_t plus = out.find("e+"); plus != std::string::npos)
    out.erase(plus + 1, out.find_first_not_of("+0", plus + 1) - (plus + 1));
  return out;
}

double number_of(const std::string& text) {
  const StandardArithmetic arithmetic;
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace pld
