// Bounds on binomial tails against exact sums.
#include "audit/binomial.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cstdint>
#include <vector>

#include "support/checks.hpp"

namespace pld::test {
namespace {

using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<100>>;

/// P(X = j) for all j from 0, by the ratio of neighbours.
std::vector<Real> masses(std::int64_t n, double p) {
  const Real odds = Real(p) / (1 - Real(p));
  std::vector<Real> mass{pow(1 - Real(p), static_cast<int>(n))};
  for (std::int64_t j = 1; j <= n; ++j) mass.push_back(mass.back() * Real(n - j + 1) / Real(j) * odds);
  return mass;
}

Real sum(const std::vector<Real>& mass, std::int64_t from, std::int64_t to) {
  Real total = 0;
  for (std::int64_t j = from; j <= to; ++j) total += mass[static_cast<std::size_t>(j)];
  return total;
}

void check_just_above(double bound, const Real& truth) {
  CAPTURE(digits(bound));
  CHECK(Real(bound) >= truth * (1 - Real(1e-80)));
  CHECK(Real(bound) <= truth * (1 + Real(1e-8)) + Real(1e-307));
}

TEST_CASE("audit.binomial.tails") {
  for (const std::int64_t n : {1, 2, 7, 100, 3000}) {
    for (const double p : {1e-6, 0.01, 0.3, 0.5, 0.731, 0.999}) {
      const auto mass = masses(n, p);
      for (const std::int64_t k : {std::int64_t{0}, n / 100, n / 3, n / 2, n - n / 10, n}) {
        CAPTURE(n);
        CAPTURE(p);
        CAPTURE(k);
        check_just_above(audit::at_least_upper(k, n, p), sum(mass, k, n));
        check_just_above(audit::at_most_upper(k, n, p), sum(mass, 0, k));
      }
    }
  }
}

TEST_CASE("audit.binomial.limits_of_the_rate_pass_the_exact_tail_and_no_closer_one_does") {
  for (const std::int64_t n : {1, 10, 500}) {
    for (const std::int64_t k : {std::int64_t{0}, n / 10, n / 5, n / 2, n - n / 10, n}) {
      for (const double level : {0.5, 0.05, 1e-3, 1e-12, 1e-100, 1e-200, 5e-300}) {
        CAPTURE(n);
        CAPTURE(k);
        CAPTURE(level);
        const double low = audit::rate_lower(k, n, level), high = audit::rate_upper(k, n, level);
        if (k > 0) {
          CHECK(sum(masses(n, low), k, n) <= level);
          CHECK(sum(masses(n, low * (1 + 1e-7)), k, n) > level);
        } else {
          CHECK(low == 0);
        }
        if (k < n && high < 1) {
          CHECK(sum(masses(n, high), 0, k) <= level);
          CHECK(sum(masses(n, 1 - (1 - high) * (1 + 1e-7) - 1e-15), 0, k) > level);
        } else {
          CHECK(high == 1);
          CHECK((k == n || level < 1e-10));
        }
      }
    }
  }
}

}  // namespace
}  // namespace pld::test
