#include "core/number_text.hpp"

#include <cstdlib>
#include <limits>
#include <random>
#include <utility>

#include "support/checks.hpp"

TEST_CASE("core.number_text.is_short_and_reads_back") {
  const std::pair<double, const char*> rows[] = {{0.8, "0.8"},
                                                 {1, "1"},
                                                 {100000, "100000"},
                                                 {1e-9, "1e-09"},
                                                 {1e6, "1e6"},
                                                 {1.2e6, "1.2e6"},
                                                 {-1e10, "-1e10"},
                                                 {1e300, "1e300"},
                                                 {0.1 + 0.2, "0.30000000000000004"},
                                                 {std::numeric_limits<double>::infinity(), "inf"},
                                                 {-2.5, "-2.5"},
                                                 {-0.0, "0"}};
  for (const auto& [value, text] : rows) CHECK(pld::number_text(value) == text);
  std::mt19937_64 random(5);
  for (int i = 0; i < 2000; ++i) {
    const double value = std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 1900) - 1000);
    CHECK(std::strtod(pld::number_text(value).c_str(), nullptr) == value);
  }
}
