#include "numeric/compensated_sum.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <random>

#include "support/checks.hpp"

TEST_CASE("numeric.compensated_sum.keeps_what_a_plain_sum_loses") {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> size(-30, 30);
  pld::CompensatedSum sum;
  double plain = 0;
  boost::multiprecision::cpp_bin_float_100 exact = 0;
  for (int i = 0; i < 100000; ++i) {
    const double term = (i % 3 == 0 ? -1 : 1) * std::exp(size(random));
    sum.add(term);
    plain += term;
    exact += term;
  }
  CHECK_ULP(sum.value(), static_cast<double>(exact), 1);
  CHECK(plain != static_cast<double>(exact));
}
