#include "profiles.hpp"

#include <stdexcept>
#include <vector>

namespace vectors {

Profile gaussian(const Interval& mu) {
  return [mu](const Interval& epsilon) {
    const Interval half = mu / 2, at = epsilon / mu;
    return normal_cdf(half - at) - exp(epsilon) * normal_cdf(-half - at);
  };
}

Profile sampled(const Profile& profile, const Interval& rate, bool swapped) {
  return [=](const Interval& epsilon) -> Interval {
    const Interval factor = (exp(swapped ? -epsilon : epsilon) - 1 + rate) / rate;
    if (factor.lower() <= 0 && factor.upper() >= 0) throw std::domain_error("epsilon is the end of the loss's range");
    if (factor.upper() < 0) return swapped ? Interval(0) : Interval(1) - exp(epsilon);
    // (1 - rate) q + rate p - e^epsilon q = rate (p - factor q); q - e^epsilon ((1 - rate) q + rate p) =
    // e^epsilon rate (factor q - p) = e^epsilon rate factor (q - p / factor).
    if (!swapped) return rate * profile(log(factor));
    return exp(epsilon) * rate * factor * profile(-log(factor));
  };
}

Profile truncated_laplace(const Interval& shift, const Interval& bound) {
  return [=](const Interval& epsilon) {
    const Interval cut = exp(-bound);
    const auto tail = [&](const Interval& x) { return (exp(-x) - cut) / (Interval(2) * (Interval(1) - cut)); };
    if (epsilon.lower() >= shift.upper()) return tail(bound - shift);
    if (epsilon.upper() >= shift.lower() || epsilon.lower() <= -shift.lower())
      throw std::domain_error("epsilon is outside the range of this formula");
    const Interval threshold = (epsilon + shift) / 2;  // |x| - |x - shift| = epsilon
    return Interval(1) - tail(shift - threshold) - exp(epsilon) * tail(threshold);
  };
}

Profile bounded_range(const Interval& range) {
  return [=](const Interval& epsilon) {
    // The p mass at t is (e^range - e^t) / (e^range - 1); times 1 - e^(epsilon - t) it is largest at 2 t = range + epsilon.
    if (epsilon.upper() >= range.lower() || epsilon.lower() <= -range.lower())
      throw std::domain_error("epsilon is outside the range of this formula");
    const Interval root = exp(range / 2) - exp(epsilon / 2);
    return root * root / (exp(range) - 1);
  };
}

// Laplace noise.

namespace {

/// Coefficients of (1/S - S)^minus (1/S + S)^plus: entry j belongs to S^(2j - minus - plus).
std::vector<Interval> shift_polynomial(int minus, int plus) {
  std::vector<Interval> coefficients{1};
  for (int n = 0; n < minus + plus; ++n) {
    coefficients.emplace_back(0);
    for (std::size_t j = coefficients.size() - 1; j > 0; --j)
      coefficients[j] = n < minus ? coefficients[j] - coefficients[j - 1] : coefficients[j] + coefficients[j - 1];
  }
  return coefficients;
}

/// The integrals from 0 to `a` of e^(sign w/2) w^(m-1) / (m-1)! for m = 1..k (entry 0 is not used), by parts.
std::vector<Interval> power_integrals(const Interval& a, int sign, int k) {
  const Interval edge = exp(Interval(sign) * a / 2);
  std::vector<Interval> integral(static_cast<std::size_t>(k) + 1);
  Interval monomial = 1;  // a^(m-1) / (m-1)!
  for (int m = 1; m <= k; ++m) {
    const Interval before = m == 1 ? Interval(1) : integral[static_cast<std::size_t>(m) - 1];
    const Interval by_parts = m == 1 ? edge - before : edge * monomial - before;
    integral[static_cast<std::size_t>(m)] = Interval(2 * sign) * by_parts;
    monomial = monomial * a / Interval(m);
  }
  return integral;
}

/// weights[m][j]: of the m-th truncated power from (2j - k) ratio on, in the k-th power of g; without e^(-k ratio / 2).
std::vector<std::vector<Interval>> truncated_power_weights(int k) {
  std::vector<std::vector<Interval>> weights;
  Interval binomial = 1;
  for (int m = 0; m <= k; ++m) {
    weights.push_back(shift_polynomial(m, k - m));
    for (Interval& weight : weights.back()) weight *= binomial / (power(Interval(4), m) * power(Interval(2), k - m));
    binomial = binomial * Interval(k - m) / Interval(m + 1);
  }
  return weights;
}

}  // namespace

Profile laplace(const Interval& ratio, int k) {
  return [=, weights = truncated_power_weights(k)](const Interval& epsilon) {
    Interval sum = 0;
    // g is symmetric: what lies above epsilon is what lies below -epsilon, with the signs of z exchanged.
    for (int j = 0; j <= k; ++j) {
      const Interval from = Interval(2 * j - k) * ratio;
      const Interval p = exp(-from / 2), q = exp(epsilon + from / 2);
      sum += weights[0][static_cast<std::size_t>(j)] * positive_part(p - q);
      const Interval length = positive_part(-epsilon - from);
      if (length.upper() == 0) continue;
      const auto of_p = power_integrals(length, -1, k), of_q = power_integrals(length, 1, k);
      for (std::size_t m = 1; m <= static_cast<std::size_t>(k); ++m)
        sum += weights[m][static_cast<std::size_t>(j)] * (p * of_p[m] - q * of_q[m]);
    }
    return exp(-Interval(k) * ratio / 2) * sum;
  };
}

// Additive noise.

namespace {

/// Where a growing function passes `level`, to about 50 digits; grows the bracket from [-1, 1] first. The points tried are not
/// halves, so that none of them is the place itself where that is a simple fraction.
Interval passing(const std::function<Interval(const Real&)>& growing, const Interval& level) {
  Real below = -1, above = 1;
  while (growing(below).upper() > level.lower()) below *= 2;
  while (growing(above).lower() < level.upper()) above *= 2;
  for (int halving = 0; halving < 220; ++halving) {
    const Real middle = below + (above - below) * Real("0.43");
    const Interval value = growing(middle);
    if (value.upper() <= level.lower()) {
      below = middle;
    } else if (value.lower() >= level.upper()) {
      above = middle;
    } else {
      break;  // as near as the arithmetic can tell
    }
  }
  return {below, above};
}

}  // namespace

Profile additive(const Noise& noise, const Interval& shift) {
  return [=](const Interval& epsilon) {
    const auto loss = [&](const Real& x) {
      return noise.log_density(Interval(x) - shift) - noise.log_density(Interval(x));
    };
    const Interval threshold = passing(loss, epsilon);
    const Interval above_with = Interval(1) - noise.cdf(threshold - shift), above_without = Interval(1) - noise.cdf(threshold);
    return above_with - exp(epsilon) * above_without;
  };
}

Noise logistic() {
  const auto log_density = [](const Interval& x) { return -x - Interval(2) * log(Interval(1) + exp(-x)); };
  return {log_density, [](const Interval& x) { return Interval(1) / (Interval(1) + exp(-x)); }};
}

namespace {

/// Integral from 0 to x > 0 of t^(-3/4) e^-t: 4 x^(1/4) e^-x (1 + x/(5/4) + x^2/(5/4 9/4) + ...), what is left out being below
/// a geometric series.
Interval incomplete_gamma_of_quarter(const Interval& x) {
  Interval term = 1, sum = 1;
  for (int n = 1;; ++n) {
    term = term * x * Interval(4) / Interval(4 * n + 1);
    sum += term;
    if (2 * x.upper() < n && term.upper() < sum.lower() * Real("1e-200")) break;
  }
  sum += Interval(Real(0), term.upper());
  return Interval(4) * sqrt(sqrt(x)) * exp(-x) * sum;
}

}  // namespace

Noise quartic() {
  // Gamma(1/4): up to 1000, and what is beyond: below e^-1000.
  const Interval whole = incomplete_gamma_of_quarter(Interval(1000)) + Interval(Real(0), exp(Interval(-1000)).upper());
  const auto fourth = [](const Interval& x) { return power(x * x, 2); };
  const auto above_0 = [=](const Real& x) {
    return x == 0 ? Interval(0.5) : Interval(0.5) + incomplete_gamma_of_quarter(fourth(Interval(x))) / whole / 2;
  };
  const auto cdf = [=](const Real& x) { return x >= 0 ? above_0(x) : Interval(1) - above_0(-x); };
  return {[=](const Interval& x) { return -fourth(x); },
          [=](const Interval& x) { return Interval(cdf(x.lower()).lower(), cdf(x.upper()).upper()); }};
}

Noise sinh_normal(const Interval& a) {
  const auto sinh = [](const Interval& x) { return (exp(x) - exp(-x)) / 2; };
  const auto cosh = [](const Interval& x) { return (exp(x) + exp(-x)) / 2; };
  const auto log_density = [=](const Interval& x) {
    const Interval inside = a * sinh(x / a);
    return log(cosh(x / a)) - inside * inside / 2;
  };
  return {log_density, [=](const Interval& x) { return normal_cdf(a * sinh(x / a)); }};
}

}  // namespace vectors
