#include "formats/joint_noise.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>

#include "support/checks.hpp"

namespace {

using Digits = boost::multiprecision::cpp_bin_float_50;

pld::Entry gaussian(double sigma, std::int64_t count) {
  return {.type = "gaussian", .parameters = {{"sigma", sigma}}, .count = count};
}

/// One over the root of the sum of count / sigma^2.
Digits exactly(const std::vector<pld::Entry>& all) {
  Digits sum = 0;
  for (const pld::Entry& one : all) sum += Digits(one.count) / pow(Digits(one.parameters.at("sigma")), 2);
  return 1 / sqrt(sum);
}

}  // namespace

TEST_CASE("formats.joint_noise.is_rounded_down_by_a_few_units") {
  std::vector<std::vector<pld::Entry>> cases{{gaussian(2, 1)},
                                             {gaussian(2, 4)},
                                             {gaussian(2, 3)},
                                             {gaussian(1, 1), gaussian(2, 1)},
                                             {gaussian(0.1, 7), gaussian(3, 1'000'000'000'000), gaussian(1e9, 2)},
                                             {gaussian(1e-90, 1), gaussian(1e90, 5)},
                                             {gaussian(1e99, 11)}};
  std::vector<pld::Entry> many;
  for (int i = 1; i <= 300; ++i) many.push_back(gaussian(0.7 + 0.01 * i, i));
  cases.push_back(many);
  for (const auto& all : cases) {
    const double found = pld::joint_noise(all);
    CAPTURE(found);
    CHECK(Digits(found) <= exactly(all));
    CHECK(Digits(found) >= exactly(all) * (1 - Digits(4e-15)));
  }
  CHECK(pld::joint_noise({gaussian(2, 4)}) == 1);
}
