#include "audit/binomial.hpp"

#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <exception>
#include <limits>

#include "pld/core/rounding.hpp"

namespace pld::audit {
namespace {

constexpr long double doubt = 1e-9L;

/// Boost's inverses give up now and then: a guess is all that is asked of them, since what is returned has passed the
/// tail itself.
const boost::math::policies::policy<boost::math::policies::evaluation_error<boost::math::policies::ignore_error>,
                                    boost::math::policies::promote_double<false>>
    as_a_guess;

/// What Boost guesses, or NaN: for small levels some versions throw, whatever the policy says.
template <class Inverse>
double guess_of(const Inverse& inverse) {
  try {
    return inverse(as_a_guess);
  } catch (const std::exception&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

/// The largest logarithm up to 0 at which `holds`, which does below it: `guess` where that is close, else by halving.
template <class Holds>
double last_log(double guess, const Holds& holds) {
  constexpr double close = 1e-9;
  if (holds(guess - close) && !holds(guess + close)) return guess;
  double low = -740, high = 0;  // next to the least double's
  if (!holds(low)) return -infinity;
  for (int halving = 0; halving < 60; ++halving) {
    const double middle = (low + high) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

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

double rate_lower(std::int64_t k, std::int64_t n, double level) {
  if (k == 0) return 0;
  const double guess = guess_of([&](const auto& policy) {
    return boost::math::ibeta_inv(static_cast<double>(k), static_cast<double>(n - k + 1), level, policy);
  });
  const auto holds = [&](double log_p) { return log_p <= 0 && at_least_upper(k, n, std::exp(log_p)) <= level; };
  double p = std::exp(last_log(std::log(guess), holds));
  for (double units = 1; p > 0 && at_least_upper(k, n, p) > level; units *= 2) p = std::fmax(0.0, round_down(p, units));
  return p;
}

double rate_upper(std::int64_t k, std::int64_t n, double level) {
  if (k == n) return 1;
  const double guess = guess_of([&](const auto& policy) {
    return boost::math::ibetac_inv(static_cast<double>(k + 1), static_cast<double>(n - k), level, policy);
  });
  const auto holds = [&](double log_rest) {
    return log_rest <= 0 && at_most_upper(k, n, -std::expm1(log_rest)) <= level;
  };
  double p = -std::expm1(last_log(std::log1p(-guess), holds));
  for (double units = 1; p < 1 && at_most_upper(k, n, p) > level; units *= 2) p = std::fmin(1.0, round_up(p, units));
  return p;
}

}  // namespace pld::audit
