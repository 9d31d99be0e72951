#include "audit/binomial.hpp"

#include <boost/math/special_functions/beta.hpp>
#include <cmath>

#include "pld/core/rounding.hpp"

namespace pld::audit {

namespace {

constexpr long double doubt = 1e-9L;

/// Boost's inverses give up now and then: a guess is all that is asked of them, since what is returned has passed the
/// tail itself.
const boost::math::policies::policy<boost::math::policies::evaluation_error<boost::math::policies::ignore_error>,
                                    boost::math::policies::promote_double<false>>
    as_a_guess;

/// Rounded up to a double; what underflows is at most the least double.
double widened(long double tail) { return std::fmin(1.0, round_up(static_cast<double>(tail * (1 + doubt)))); }

}  // namespace

double at_least_upper(std::int64_t k, std::int64_t n, double p) {
  if (k == 0) return 1;
  return widened(boost::math::ibeta(static_cast<long double>(k), static_cast<long double>(n - k + 1),
                                    static_cast<long double>(p)));
}

double at_most_upper(std::int64_t k, std::int64_t n, double p) {
  if (k == n) return 1;
  return widened(boost::math::ibetac(static_cast<long double>(k + 1), static_cast<long double>(n - k),
                                     static_cast<long double>(p)));
}

double exactly_upper(std::int64_t k, std::int64_t n, double p) {
  if (p == 0 || p == 1) return (p == 0 ? k == 0 : k == n) ? 1 : 0;
  // The density of the beta law with k + 1 and n - k + 1, over n + 1.
  return widened(boost::math::ibeta_derivative(static_cast<long double>(k + 1), static_cast<long double>(n - k + 1),
                                               static_cast<long double>(p)) /
                 static_cast<long double>(n + 1));
}

double rate_lower(std::int64_t k, std::int64_t n, double level) {
  if (k == 0) return 0;
  double p = boost::math::ibeta_inv(static_cast<double>(k), static_cast<double>(n - k + 1), level, as_a_guess);
  for (double units = 1; p > 0 && at_least_upper(k, n, p) > level; units *= 2) p = std::fmax(0.0, round_down(p, units));
  return p;
}

double rate_upper(std::int64_t k, std::int64_t n, double level) {
  if (k == n) return 1;
  double p = boost::math::ibetac_inv(static_cast<double>(k + 1), static_cast<double>(n - k), level, as_a_guess);
  for (double units = 1; p < 1 && at_most_upper(k, n, p) > level; units *= 2) p = std::fmin(1.0, round_up(p, units));
  return p;
}

}  // namespace pld::audit
