#pragma once

// Profiles of one release with continuous noise, in 50 digits, from the tail of the noise alone: the loss grows with the
// outcome, so that delta(eps) = P(X + s > x) - e^eps P(X > x) at the outcome x of loss eps.

#include <boost/math/special_functions/erf.hpp>
#include <functional>

#include "pld/core/direction.hpp"
#include "support/exact_profile.hpp"

namespace pld::test {

using Profile = std::function<Real(const Real& epsilon)>;

inline Profile gaussian_profile(double sigma) {
  return [scale = Real(sigma)](const Real& epsilon) -> Real {
    const auto tail = [](const Real& x) -> Real { return boost::math::erfc(Real(x / sqrt(Real(2)))) / 2; };
    const Real at = scale * epsilon + 1 / (2 * scale);
    return tail(Real(at - 1 / scale)) - exp(epsilon) * tail(at);
  };
}

/// P(X > x) of the standard Laplace law.
inline Real laplace_tail(const Real& x) { return x < 0 ? Real(1 - exp(x) / 2) : Real(exp(Real(-x)) / 2); }

inline Profile laplace_profile(double scale) {
  return [shift = 1 / Real(scale)](const Real& epsilon) -> Real {
    if (epsilon >= shift) return 0;
    if (epsilon <= -shift) return 1 - exp(epsilon);
    const Real at = (shift + epsilon) / 2;
    return laplace_tail(Real(at - shift)) - exp(epsilon) * laplace_tail(at);
  };
}

/// log f(x - s) - log f(x) = s + 2 log((1 + e^-x) / (1 + e^{s-x})), solved for x.
inline Profile logistic_profile(double scale) {
  return [shift = 1 / Real(scale)](const Real& epsilon) -> Real {
    if (epsilon >= shift) return 0;
    if (epsilon <= -shift) return 1 - exp(epsilon);
    const Real root = exp(Real((epsilon - shift) / 2)), odds = (root * exp(shift) - 1) / (1 - root);  // e^x
    return 1 / (1 + odds * exp(Real(-shift))) - exp(epsilon) / (1 + odds);
  };
}

/// The same on a Poisson sample of rate q: ((1-q) Q + q P, Q) has q delta(log(1 + (e^eps - 1)/q)), or 1 - e^eps below
/// log(1-q); add is its pair swapped, delta'(eps) = 1 - e^eps + e^eps delta(-eps).
inline Profile sampled(Profile base, double q, Direction direction) {
  if (q == 1) return base;  // symmetric noise: both directions have one profile
  const Profile remove = [base = std::move(base), rate = Real(q)](const Real& epsilon) -> Real {
    const Real inner = 1 + expm1(epsilon) / rate;
    return inner > 0 ? Real(rate * base(Real(log(inner)))) : Real(-expm1(epsilon));
  };
  if (direction == Direction::remove) return remove;
  return [remove](const Real& epsilon) -> Real { return exp(epsilon) * remove(Real(-epsilon)) - expm1(epsilon); };
}

}  // namespace pld::test
