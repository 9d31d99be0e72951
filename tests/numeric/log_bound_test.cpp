#include "numeric/log_bound.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>
#include <random>

namespace pld::test {
namespace {

using Real = boost::multiprecision::cpp_bin_float_50;

Real log_of_sum(double a, double b) {
  const double top = std::max(a, b);
  return top + log(exp(Real(a) - top) + exp(Real(b) - top));
}

double drawn(std::mt19937_64& random) {
  const double size = std::pow(10, std::uniform_real_distribution<double>(-12, 2.5)(random));
  return random() % 8 == 0 ? size : -size;
}

/// How often a bound is on the wrong side of the truth, or farther from it than this many roundings of the parts.
struct Missed {
  int wrong = 0, far = 0;
  void look(const LogBound& bound, Side side, const Real& truth, double size) {
    const Real beyond = (side == Side::upper ? 1 : -1) * (Real(bound.log()) - truth);
    wrong += beyond < 0;
    far += beyond > 40 * unit_roundoff * size;
  }
};

TEST_CASE("numeric.log_bound.is_on_its_side_of_50_digits") {
  std::mt19937_64 random(11);
  Missed sums, products, differences, complements, rounded;
  for (int i = 0; i < 20000; ++i) {
    const double a = drawn(random), near = random() % 2 ? a * (1 + 1e-10 * drawn(random)) : drawn(random);
    const double high = std::max(a, near), low = std::min(a, near);
    for (const Side side : {Side::lower, Side::upper}) {
      const LogBound x(a, side);
      sums.look(x.plus(near), side, log_of_sum(a, near), 1 + std::fabs(high));
      products.look(x.times(near), side, Real(a) + near, std::fabs(a) + std::fabs(near));
      if (low < high) {
        const Real exact = high + log(-expm1(Real(low) - high));
        differences.look(LogBound(high, side).less(low), side, exact,
                         1 + std::fabs(high) + std::fabs(static_cast<double>(exact)));
      }
      const double distance = high - low;  // a rounded one
      if (distance > 0) {
        const Real exact = log1p(-exp(Real(low) - high));
        const Side other = opposite(side);
        rounded.look(LogBound(-distance, side).one_less(), other, exact,
                     1 + (1 + distance) * std::fabs(static_cast<double>(exact)));
      }
      if (a < 0) {
        const Real exact = a > -1 ? log(-expm1(Real(a))) : log1p(-exp(Real(a)));
        const Side other = opposite(side);
        complements.look(x.one_less(), other, exact,
                         (1 - a) * std::fabs(static_cast<double>(exact)) + (a > -1 ? 1 : 0));
      }
    }
  }
  for (const Missed& of : {sums, products, differences, complements, rounded}) {
    CHECK(of.wrong == 0);
    CHECK(of.far == 0);
  }
}

TEST_CASE("numeric.log_bound.of_nothing_and_of_all") {
  const LogBound none(-infinity, Side::upper), all(0, Side::lower);
  CHECK(none.plus(-infinity).log() == -infinity);
  CHECK(none.times(3).log() == -infinity);
  CHECK(all.times(0).log() == 0);
  CHECK(none.one_less().log() == 0);
  CHECK(LogBound(-800, Side::upper).one_less().log() < 0);
  CHECK(LogBound(-800, Side::lower).one_less().log() == 0);
  CHECK(all.one_less().log() == -infinity);
  CHECK(all.less(-infinity).log() == 0);
  CHECK(all.less(0).log() == -infinity);
  CHECK(LogBound(1e-9, Side::upper).log_probability() == 0);
  const double farthest = -std::numeric_limits<double>::max();
  CHECK(LogBound(farthest, Side::upper).plus(farthest).log() < 0.9 * farthest);
  CHECK(LogBound(farthest, Side::upper).times(farthest / 4).log() < 0.9 * farthest);
  CHECK(LogBound(farthest, Side::upper).times(farthest / 4).log() > -infinity);
  CHECK(LogBound(farthest, Side::lower).times(farthest / 4).log() == -infinity);
}

}  // namespace
}  // namespace pld::test
