#include "interval.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace vectors {

namespace {

/// Eight units in the last place, relatively: more than one rounding to nearest, or to a wrong neighbour, can move.
const Real& slack() {
  static const Real value = 8 * std::numeric_limits<Real>::epsilon();
  return value;
}

Real down(const Real& x) { return x - abs(x) * slack(); }
Real up(const Real& x) { return x + abs(x) * slack(); }
Interval outward(const Real& lower, const Real& upper) { return {down(lower), up(upper)}; }

/// A remainder of either sign.
Interval either_sign(const Real& bound) { return {-up(bound), up(bound)}; }

}  // namespace

Interval::Interval(const Real& lower, const Real& upper) : lower_(lower), upper_(upper) {
  if (!(lower <= upper)) throw std::domain_error("an interval's ends are in the wrong order");
}

Interval operator+(const Interval& a, const Interval& b) { return outward(a.lower_ + b.lower_, a.upper_ + b.upper_); }
Interval operator-(const Interval& a, const Interval& b) { return outward(a.lower_ - b.upper_, a.upper_ - b.lower_); }

Interval operator*(const Interval& a, const Interval& b) {
  if (a.lower_ >= 0 && b.lower_ >= 0) return outward(a.lower_ * b.lower_, a.upper_ * b.upper_);
  const auto [least, most] =
      std::minmax({a.lower_ * b.lower_, a.lower_ * b.upper_, a.upper_ * b.lower_, a.upper_ * b.upper_});
  return outward(least, most);
}

Interval operator/(const Interval& a, const Interval& b) {
  if (b.lower_ <= 0 && b.upper_ >= 0) throw std::domain_error("division by an interval that holds 0");
  if (b.lower_ == b.upper_ && b.lower_ > 0) return outward(a.lower_ / b.lower_, a.upper_ / b.lower_);
  return a * outward(1 / b.upper_, 1 / b.lower_);
}

Interval positive_part(const Interval& x) {
  return {std::max(x.lower(), Real(0)), std::max(x.upper(), Real(0))};
}

Interval power(const Interval& x, int n) {
  Interval result = 1, square = x;
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) result *= square;
    if (n > 1) square *= square;
  }
  return result;
}

Interval sqrt(const Interval& x) {
  if (x.lower() < 0) throw std::domain_error("square root of a negative number");
  const Interval root = outward(boost::multiprecision::sqrt(x.lower()), boost::multiprecision::sqrt(x.upper()));
  const Interval lower{root.lower()}, upper{root.upper()};
  if ((lower * lower).upper() > x.lower() || (upper * upper).lower() < x.upper()) {
    if (x.lower() != 0 || x.upper() != 0) throw std::logic_error("a square root is not certified");
  }
  return root;
}

namespace {

Interval exp_of_number(const Real& x) {
  Real reduced = x;  // halving is exact
  int halvings = 0;
  for (; abs(reduced) > Real(1) / 65536; ++halvings) reduced /= 2;
  const Interval r{reduced};
  Interval sum = 1, term = 1;
  int n = 1;
  for (; abs(term.middle()) > slack(); ++n) {
    term = term * r / Interval(n);
    sum += term;
  }
  // What is left after r^(n-1)/(n-1)! is at most e^|r| |r|^n / n!, and e^|r| |r| < 1.
  sum += either_sign(std::max(abs(term.lower()), abs(term.upper())));
  for (; halvings > 0; --halvings) sum *= sum;
  return sum;
}

Interval log_of_number(const Real& x) {
  const Real near = boost::multiprecision::log(x);
  const Interval excess = Interval(x) / exp_of_number(near) - 1;
  const Interval below = excess / (excess + 1);
  return Interval(near) + Interval(std::min(below.lower(), excess.lower()), std::max(below.upper(), excess.upper()));
}

/// arctan(1/n) = 1/n - 1/(3 n^3) + ...; an alternating series' remainder is below its first term left out.
Interval arctan_of_inverse(int n) {
  Interval power_of_inverse = Interval(1) / Interval(n), sum = 0;
  for (int i = 0;; ++i) {
    const Interval term = power_of_inverse / Interval(2 * i + 1);
    if (term.upper() < slack()) return sum + either_sign(term.upper());
    sum = i % 2 == 0 ? sum + term : sum - term;
    power_of_inverse = power_of_inverse / Interval(n * n);
  }
}

Interval normal_cdf_of_number(const Real& x) {
  if (x < 0) return Interval(1) - normal_cdf_of_number(-x);
  const Interval square = Interval(x) * Interval(x);
  Interval term{x}, sum{x};
  for (int odd = 3;; odd += 2) {
    term = term * square / Interval(odd);
    sum += term;
    // The ratio of the next terms is below x^2 / (odd + 2) and falls; once it is below 1/2, all of them are below this one.
    if (2 * square.upper() < odd + 2 && term.upper() <= sum.lower() * slack()) break;
  }
  sum += Interval(Real(0), up(term.upper()));
  return Interval(0.5) + exp(-square / Interval(2)) / sqrt(Interval(2) * pi()) * sum;
}

}  // namespace

Interval exp(const Interval& x) { return {exp_of_number(x.lower()).lower(), exp_of_number(x.upper()).upper()}; }

Interval log(const Interval& x) {
  if (x.lower() <= 0) throw std::domain_error("logarithm of a number that is not positive");
  return {log_of_number(x.lower()).lower(), log_of_number(x.upper()).upper()};
}

const Interval& pi() {
  static const Interval value = Interval(16) * arctan_of_inverse(5) - Interval(4) * arctan_of_inverse(239);
  return value;
}

Interval normal_cdf(const Interval& x) {
  // Once for both ends: the density is below 0.4.
  return normal_cdf_of_number(x.lower()) + Interval(Real(0), up(up(x.upper() - x.lower()) * Real(0.4)));
}

}  // namespace vectors
