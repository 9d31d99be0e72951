#pragma once

// Profiles of one release with continuous noise, in 50 digits, from the tail of the noise alone: the loss grows with
// the outcome, so that delta(eps) = P(X + s > x) - e^eps P(X > x) at the outcome x of loss eps.

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/roots.hpp>
#include <functional>
#include <utility>
#include <vector>

#include "pld/core/direction.hpp"
#include "support/exact_profile.hpp"

namespace pld::test {

using Profile = std::function<Real(const Real& epsilon)>;

inline Real normal_tail(const Real& x) { return boost::math::erfc(Real(x / sqrt(Real(2)))) / 2; }

inline Profile gaussian_profile(double sigma) {
  return [scale = Real(sigma)](const Real& epsilon) -> Real {
    const Real at = scale * epsilon + 1 / (2 * scale);
    return normal_tail(Real(at - 1 / scale)) - exp(epsilon) * normal_tail(at);
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

/// Of scale 1 conditioned on |x| <= bound, times `scale`.
inline Profile truncated_laplace_profile(double scale, double bound) {
  return [shift = 1 / Real(scale), end = Real(bound) / Real(scale)](const Real& epsilon) -> Real {
    const auto tail = [&](const Real& x) -> Real {
      if (x >= end) return 0;
      if (x <= -end) return 1;
      return (laplace_tail(x) - laplace_tail(end)) / (1 - 2 * laplace_tail(end));
    };
    // The supports overlap from shift - end to end, where the loss is 2 x - shift, but for what is flat beyond +-shift.
    const Real from = shift - end, upto = end;
    if (epsilon >= shift || from >= upto) return tail(Real(end - shift));  // beyond the other's support
    const Real at = epsilon <= -shift ? from : std::clamp(Real((shift + epsilon) / 2), from, upto);
    return tail(Real(at - shift)) - exp(epsilon) * tail(at);
  };
}

/// P(X > x) of the density proportional to e^{-|x|^shape}.
inline Real generalized_tail(const Real& shape, const Real& x) {
  const Real half = boost::math::gamma_q(Real(1 / shape), Real(pow(Real(fabs(x)), shape))) / 2;
  return x < 0 ? Real(1 - half) : half;
}

/// Density proportional to e^{-|x/scale|^shape}. delta(eps) = P(X + s > x) - e^eps P(X > x) at the outcome x of loss
/// eps is stationary in x: a double's digits of x are twice as many of delta, and Newton's steps double them again.
inline Profile generalized_profile(double shape, double scale, double sensitivity) {
  return [shape = Real(shape), s = Real(sensitivity) / scale](const Real& epsilon) -> Real {
    const auto raised = [](const auto& x, const auto& power) {
      return x == 0 ? decltype(x + x)(0) : pow(fabs(x), power);
    };
    const auto loss = [&](const auto& x, const auto& by, const auto& power) {
      return raised(x, power) - raised(decltype(x + x)(x - by), power);
    };
    const auto by = static_cast<double>(s), power = static_cast<double>(shape);
    const double far = 1e3 + by;
    double low = -far, high = far;
    for (int i = 0; i < 80; ++i) {
      const double middle = (low + high) / 2;
      (loss(middle, by, power) > static_cast<double>(epsilon) ? high : low) = middle;
    }
    Real at = low;
    for (int i = 0; i < 3; ++i) {
      const auto sloped = [&](const Real& x) -> Real { return x == 0 ? Real(0) : Real(shape * raised(x, shape) / x); };
      const Real slope = sloped(at) - sloped(Real(at - s)), step = (epsilon - loss(at, s, shape)) / slope;
      if (!(slope > 0) || !(fabs(step) < 1e-9 * (1 + fabs(at)))) break;
      at += step;
    }
    return generalized_tail(shape, Real(at - s)) - exp(epsilon) * generalized_tail(shape, at);
  };
}

/// Density proportional to e^{-(x/scale)^4}: x^4 - (x-s)^4 = eps is 4 s u^3 + s^3 u = eps at u = x - s/2, by Cardano.
inline Profile quartic_profile(double scale) {
  return [s = 1 / Real(scale)](const Real& epsilon) -> Real {
    const Real b = epsilon / (8 * s), root = sqrt(Real(b * b + pow(s, 6) / 1728)),
               sum = b < 0 ? Real(root - b) : Real(root + b);
    const Real v = pow(sum, Real(1) / 3), u = b < 0 ? Real(s * s / (12 * v) - v) : Real(v - s * s / (12 * v));
    const Real at = u + s / 2;
    return generalized_tail(4, Real(at - s)) - exp(epsilon) * generalized_tail(4, at);
  };
}

/// Where an increasing function that has this derivative is `level`.
template <class ValueAndSlope>
Real solved(const ValueAndSlope& function, const Real& level) {
  Real low = -1, high = 1;
  while (function(low).first > level) low *= 2;
  while (function(high).first < level) high *= 2;
  std::uintmax_t most = 200;
  return boost::math::tools::newton_raphson_iterate(
      [&](const Real& x) {
        const auto [value, slope] = function(x);
        return std::pair<Real, Real>(value - level, slope);
      },
      Real((low + high) / 2), low, high, 160, most);
}

/// a arsinh(N(0, sigma^2) / a), a query that moves by 1.
inline Profile sinh_normal_profile(double sigma, double a) {
  return [sigma = Real(sigma), a = Real(a)](const Real& epsilon) -> Real {
    const auto inside = [&](const Real& x) -> Real { return a * sinh(Real(x / a)) / sigma; };
    const auto log_density = [&](const Real& x) {
      const Real y = inside(x), slope = cosh(Real(x / a)) / sigma;
      return std::pair<Real, Real>(log(cosh(Real(x / a))) - y * y / 2, tanh(Real(x / a)) / a - y * slope);
    };
    const Real at = solved(
        [&](const Real& x) {
          const auto [with, with_slope] = log_density(Real(x - 1));
          const auto [without, slope] = log_density(x);
          return std::pair<Real, Real>(with - without, with_slope - slope);
        },
        epsilon);
    return normal_tail(inside(Real(at - 1))) - exp(epsilon) * normal_tail(inside(at));
  };
}

/// The mixture of the N(shift, sigma^2), every shift > 0, against N(0, sigma^2) if remove, that against the mixture if
/// add.
inline Profile mixture_profile(double sigma, const std::vector<double>& shifts, const std::vector<double>& weights,
                               Direction direction) {
  return
      [sigma = Real(sigma), shifts, weights, removing = direction == Direction::remove](const Real& epsilon) -> Real {
        const Real at = solved(
            [&](const Real& x) {
              Real ratio = 0, slope = 0;
              for (std::size_t i = 0; i < shifts.size(); ++i) {
                const Real shift = Real(shifts[i]) / sigma, part = weights[i] * exp(Real(shift * (x - shift / 2)));
                ratio += part;
                slope += shift * part;
              }
              return std::pair<Real, Real>(log(ratio), slope / ratio);
            },
            removing ? epsilon : Real(-epsilon));
        // The loss of remove grows with the outcome: its event is above `at`, that of add below.
        const auto beyond = [&](const Real& mean) { return normal_tail(removing ? Real(at - mean) : Real(mean - at)); };
        Real mixed = 0;
        for (std::size_t i = 0; i < shifts.size(); ++i) mixed += weights[i] * beyond(Real(shifts[i]) / sigma);
        return removing ? Real(mixed - exp(epsilon) * beyond(0)) : Real(beyond(0) - exp(epsilon) * mixed);
      };
}

/// The same on a Poisson sample of rate q, from the profile in that direction: ((1-q) Q + q P, Q) has
/// q delta(log(1 + (e^eps - 1)/q)), or 1 - e^eps below log(1-q); (Q, (1-q) Q + q P) has c delta'(log(q e^eps / c)) with
/// c = 1 - (1-q) e^eps, or 0 where that is not positive. Never through 1 - e^eps + e^eps delta(-eps), which has no
/// digits left where delta' < e^eps 10^-50.
inline Profile sampled(Profile base, double q, Direction direction) {
  if (direction == Direction::remove)
    return [base = std::move(base), rate = Real(q)](const Real& epsilon) -> Real {
      const Real inner = 1 + expm1(epsilon) / rate;
      return inner > 0 ? Real(rate * base(Real(log(inner)))) : Real(-expm1(epsilon));
    };
  return [base = std::move(base), rate = Real(q)](const Real& epsilon) -> Real {
    const Real ratio = exp(epsilon), left = 1 - (1 - rate) * ratio;
    return left > 0 ? Real(left * base(Real(log(rate * ratio / left)))) : Real(0);
  };
}

/// The same for a replaced record and a symmetric pair: of the first pair from 0 on, of the second below (Zhu, Dong,
/// Wang 2022, proposition 30).
inline Profile sampled_both_ways(const Profile& base, double q) {
  return [above = sampled(base, q, Direction::remove), below = sampled(base, q, Direction::add)](
             const Real& epsilon) -> Real { return epsilon >= 0 ? above(epsilon) : below(epsilon); };
}

}  // namespace pld::test
