// Decimals rounded outward, against exact fractions.
#include "core/outward_text.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_dec_float.hpp>
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include "support/checks.hpp"

namespace pld::test {
namespace {

/// Enough digits for any double.
using Exact = boost::multiprecision::number<boost::multiprecision::cpp_dec_float<800>>;

/// Doubles of all exponents, of few decimals, and next to those.
std::vector<double> numbers() {
  std::vector<double> all{
      0.1, 0.5, 1, 9.5, 9.99, 99.995, 1e-5, 1e-4, 123456, 1e22, 1e23, 5e-324, 1.7976931348623157e308};
  std::mt19937_64 random(20);
  for (int i = 0; i < 300; ++i) {
    const auto bits = static_cast<double>(random() % (std::uint64_t{1} << 52));
    all.push_back(std::ldexp(1 + bits * 0x1p-52, static_cast<int>(random() % 2000) - 1000));
    all.push_back(static_cast<double>(random() % 100000) / 1000);
  }
  const std::size_t plain = all.size();
  for (std::size_t i = 0; i < plain; ++i) {
    all.push_back(std::nextafter(all[i], 0));
    if (all[i] < std::numeric_limits<double>::max()) all.push_back(std::nextafter(all[i], 1e308));
  }
  return all;
}

std::size_t significant(const std::string& text) {
  std::size_t count = 0;
  for (const char c : text.substr(0, text.find('e')))
    count += (c >= '0' && c <= '9' && (count > 0 || c != '0')) ? 1 : 0;
  return count;
}

/// Whether some decimal of so many digits, and of those that every double tells apart, is read as the double.
bool reads_back(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*e", std::min(digits, 15) - 1, value);
  return std::strtod(text, nullptr) == value;
}

TEST_CASE("core.outward_text.is_the_nearest_on_its_side") {
  for (const double size : numbers()) {
    for (const double value : {size, -size}) {
      if (value == 0) continue;
      for (const int digits : {1, 2, 6, 15, 17}) {
        const std::string above = text_up(value, digits), below = text_down(value, digits);
        CAPTURE(above);
        CAPTURE(below);
        CHECK(significant(above) == static_cast<std::size_t>(digits));
        if (reads_back(value, digits)) {
          CHECK(above == below);
          CHECK(std::strtod(above.c_str(), nullptr) == value);
          continue;
        }
        CHECK(Exact(above) >= Exact(value));
        CHECK(Exact(below) <= Exact(value));
        // One unit of the last place apart at most, and none where the value is on the grid.
        const Exact unit =
            pow(Exact(10), static_cast<int>(std::floor(std::log10(std::fabs(value)) + 1e-9)) - digits + 1);
        CHECK(Exact(above) - Exact(below) <= unit);
        CHECK((above == below) == (Exact(above) == Exact(value)));
        // What a reader makes of it.
        CHECK(std::strtod(above.c_str(), nullptr) >= value);
        CHECK(std::strtod(below.c_str(), nullptr) <= value);
      }
    }
  }
}

TEST_CASE("core.outward_text.writes_as_printf") {
  struct Row {
    double value;
    int digits;
    const char *up, *down;
  };
  for (const Row& row :
       {Row{2.15808, 4, "2.159", "2.158"}, Row{0.0001, 3, "0.000100", "0.000100"}, Row{9.999, 3, "10.0", "9.99"},
        Row{-9.999, 3, "-9.99", "-10.0"}, Row{999.9, 3, "1.00e+03", "999"}, Row{1e-6, 1, "1e-06", "1e-06"},
        Row{200, 3, "200", "200"}, Row{2.56, 4, "2.560", "2.560"},
        Row{0.2, 17, "0.20000000000000000", "0.20000000000000000"},
        Row{0.1 + 0.2, 17, "0.30000000000000005", "0.30000000000000004"}, Row{0, 3, "0", "0"},
        Row{1e5, 3, "1.00e+05", "1.00e+05"}, Row{INFINITY, 3, "inf", "inf"}, Row{-INFINITY, 3, "-inf", "-inf"}}) {
    CHECK(text_up(row.value, row.digits) == row.up);
    CHECK(text_down(row.value, row.digits) == row.down);
  }
}

TEST_CASE("core.outward_text.knows_no_rounding_mode") {
  std::vector<std::string> to_nearest, upward;
  const std::vector<double> values = numbers();
  const auto write = [&](std::vector<std::string>& texts) {
    for (const double value : values)
      for (const int digits : {1, 3, 15, 17})
        texts.insert(texts.end(), {text_up(value, digits), text_down(value, digits)});
  };
  write(to_nearest);
  std::fesetround(FE_UPWARD);
  write(upward);
  std::fesetround(FE_TONEAREST);
  CHECK(upward == to_nearest);
}

}  // namespace
}  // namespace pld::test
