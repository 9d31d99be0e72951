#pragma once

// Location pairs in 50-digit arithmetic, from the noise's density and tail.

#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <functional>

#include "pld/mechanisms/gaussian_mixture.hpp"
#include "support/reference_law.hpp"

namespace pld::test {

/// Symmetric noise: log density at x, P(X > x) for x >= 0, half the length of the support; and the loss at x >= s where
/// the difference of two log densities has no digits left.
struct Noise50 {
  std::function<Real(const Real&)> log_density;
  std::function<Real(const Real&)> tail;
  Real largest = real_infinity();
  std::function<Real(const Real& x, const Real& s)> far_loss{};
  [[nodiscard]] Real above(const Real& x) const {
    if (x >= largest) return 0;
    if (x <= -largest) return 1;
    return x >= 0 ? tail(x) : Real(1 - tail(-x));
  }
  [[nodiscard]] Real interval(const Real& a, const Real& b) const {
    if (!(a < b)) return 0;
    return a + b < 0 ? Real(above(-b) - above(-a)) : Real(above(a) - above(b));
  }
  [[nodiscard]] Real loss(const Real& x, const Real& s) const {
    return far_loss && x > s ? far_loss(x, s) : Real(log_density(x - s) - log_density(x));
  }
};

/// log of ((1-q) X + q (X + d)) / X at x.
inline Real sampled_loss50(const Noise50& noise, const Real& q, const Real& d, const Real& x) {
  return log(1 - q + q * exp(noise.log_density(x - d) - noise.log_density(x)));
}

/// Where `loss_at`, which rises, passes a loss between two outcomes.
inline Real outcome_between(const std::function<Real(const Real&)>& loss_at, const Real& loss, Real low, Real high) {
  for (int i = 0; i < 180; ++i) {
    const Real middle = (low + high) / 2;
    (loss_at(middle) > loss ? high : low) = middle;
  }
  return high;
}

inline Noise50 normal50() {
  return {[](const Real& x) { return Real(-x * x / 2 - log(2 * boost::math::constants::pi<Real>()) / 2); },
          [](const Real& x) { return normal_interval(x, real_infinity()); }};
}

inline Noise50 laplace50() {
  return {[](const Real& x) { return Real(-abs(x) - log(Real(2))); }, [](const Real& x) { return Real(exp(-x) / 2); }};
}

inline Noise50 logistic50() {
  return {[](const Real& x) { return Real(-abs(x) - 2 * log1p(exp(Real(-abs(x))))); },
          [](const Real& x) { return Real(exp(-x) / (1 + exp(-x))); }};
}

inline Noise50 generalized50(double shape) {
  const Real p = shape, norm = log(2 / p) + boost::math::lgamma(Real(1 / p));
  return {[=](const Real& x) { return Real(-(x == 0 ? Real(0) : pow(abs(x), p)) - norm); },
          [=](const Real& x) { return x == 0 ? Real(0.5) : Real(boost::math::gamma_q(Real(1 / p), pow(x, p)) / 2); },
          real_infinity(),
          [=](const Real& x, const Real& s) { return Real(-pow(x, p) * expm1(Real(p * log1p(Real(-s / x))))); }};
}

inline Noise50 sinh_normal50(double a) {
  return {[=](const Real& x) {
            const Real y = a * sinh(x / Real(a));
            return Real(log(cosh(x / Real(a))) - y * y / 2 - log(2 * boost::math::constants::pi<Real>()) / 2);
          },
          [=](const Real& x) { return normal_interval(Real(a) * sinh(x / Real(a)), real_infinity()); }};
}

inline Noise50 truncated_laplace50(const Real& t) {
  const Real all = 2 * (1 - exp(-t));
  return {[=](const Real& x) { return Real(-abs(x) - log(all)); },
          [=](const Real& x) { return Real((exp(-x) - exp(-t)) / all); }, t};
}

/// Where an increasing function of t > 0 is `level`, from 0 at first to `highest`, however many orders of magnitude lie
/// between.
template <class Function>
Real crossing50(const Function& function, const Real& level, const Real& highest) {
  if (function(highest) <= level) return highest;
  Real low = 0, high = std::min(Real(1), highest), factor = 2;
  for (; function(high) < level; factor *= factor) low = high, high = std::min(Real(high * factor), highest);
  for (factor = 2; low == 0; factor *= factor) {
    const Real lower = high / factor;
    if (!(lower > 1e-200)) break;
    (function(lower) < level ? low : high) = lower;
  }
  while (low > 0 && high > 4 * low) {
    const Real middle = sqrt(low) * sqrt(high);
    (function(middle) < level ? low : high) = middle;
  }
  std::uintmax_t most = 400;
  const auto found = boost::math::tools::toms748_solve([&](const Real& t) { return Real(function(t) - level); }, low,
                                                       high, boost::math::tools::eps_tolerance<Real>(155), most);
  return (found.first + found.second) / 2;
}

/// The outcome where f(x - s) / f(x) = e^loss, strictly increasing in (low, high), of which s / 2 is the middle.
inline Real outcome50(const Noise50& noise, const Real& s, const Real& loss, const Real& low, const Real& high) {
  if (loss < 0) return s - outcome50(noise, s, -loss, s - high, s - low);
  return s / 2 + crossing50([&](const Real& t) { return noise.loss(s / 2 + t, s); }, loss, high - s / 2);
}

/// The law of the loss on the outcomes (low, high), beyond which the loss is flat or infinite, or no mass matters.
inline Law location_law(Noise50 noise, Real s, Real low, Real high, Real lowest_loss, Real highest_loss) {
  return [=](const Real& from, const Real& to) {
    if (from >= highest_loss || to < lowest_loss) return Masses{};
    const Real a = from < lowest_loss ? Real(s - noise.largest) : outcome50(noise, s, from, low, high);
    const Real b = to >= highest_loss ? noise.largest : outcome50(noise, s, to, low, high);
    return Masses{noise.interval(a - s, b - s), noise.interval(a, b)};
  };
}

/// From the definition; the loss inverted by bracketing.
inline Law mixture_law(const GaussianMixture& m) {
  Real total = 0;
  for (const double weight : m.weights) total += weight;
  const auto loss = [m, total](const Real& x) {
    Real ratio = 0, growth = 0;
    for (std::size_t i = 0; i < m.shifts.size(); ++i) {
      const Real shift = Real(m.shifts[i]) / m.sigma, weight = m.weights[i] / total;
      ratio += weight * exp(Real(shift * x - shift * shift / 2));
      growth += weight * expm1(Real(shift * x - shift * shift / 2));
    }
    return abs(growth) < 0.5 ? Real(log1p(growth)) : Real(log(ratio));
  };
  const auto outcome = [loss](const Real& z) -> Real {
    if (z == real_infinity() || z == -real_infinity()) return z;
    const auto miss = [&](const Real& x) { return Real(loss(x) - z); };
    const Real low = -1500, high = 1500;
    if (miss(low) >= 0) return -real_infinity();
    if (miss(high) <= 0) return real_infinity();  // beyond 1500 standard deviations
    std::uintmax_t most = 400;
    const auto found =
        boost::math::tools::toms748_solve(miss, low, high, boost::math::tools::eps_tolerance<Real>(155), most);
    return (found.first + found.second) / 2;
  };
  return [m, total, outcome](const Real& low, const Real& high) {
    const Real a = outcome(low), b = outcome(high);
    Masses masses{0, normal_interval(a, b)};
    for (std::size_t i = 0; i < m.shifts.size(); ++i) {
      const Real shift = Real(m.shifts[i]) / m.sigma;
      masses.p += m.weights[i] / total * normal_interval(a - shift, b - shift);
    }
    return masses;
  };
}

}  // namespace pld::test
