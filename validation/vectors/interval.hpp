#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>

namespace vectors {

/// 420 decimal digits: what cancels (up to 300 digits in a tail of 1e-300) leaves more than the 40 that are printed.
using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<420>, boost::multiprecision::et_off>;

/// All real numbers from `lower` to `upper`. Every operation returns an interval that holds each result of operands in its
/// operands: the sum, difference, product or quotient of the ends, moved outward by more units than its rounding. Nothing
/// is assumed of Boost but that those four are right to one unit in the last place; the functions below are made of them.
class Interval {
 public:
  Interval() = default;
  Interval(int exact) : lower_(exact), upper_(exact) {}                        // NOLINT(google-explicit-constructor)
  Interval(double exact) : lower_(exact), upper_(exact) {}                     // NOLINT(google-explicit-constructor)
  explicit Interval(const Real& exact) : lower_(exact), upper_(exact) {}
  Interval(const Real& lower, const Real& upper);

  [[nodiscard]] const Real& lower() const { return lower_; }
  [[nodiscard]] const Real& upper() const { return upper_; }
  [[nodiscard]] Real middle() const { return (lower_ + upper_) / 2; }

  friend Interval operator+(const Interval& a, const Interval& b);
  friend Interval operator-(const Interval& a, const Interval& b);
  friend Interval operator*(const Interval& a, const Interval& b);
  /// Throws std::domain_error where b holds 0.
  friend Interval operator/(const Interval& a, const Interval& b);
  Interval operator-() const { return {-upper_, -lower_}; }
  Interval& operator+=(const Interval& other) { return *this = *this + other; }
  Interval& operator*=(const Interval& other) { return *this = *this * other; }

 private:
  Real lower_ = 0, upper_ = 0;
};

/// The larger of 0 and x.
[[nodiscard]] Interval positive_part(const Interval& x);
[[nodiscard]] Interval power(const Interval& x, int n);

/// x >= 0; certified by squaring.
[[nodiscard]] Interval sqrt(const Interval& x);

/// Taylor series of an argument halved until it is below 2^-16, with Lagrange's remainder, then squared as often.
[[nodiscard]] Interval exp(const Interval& x);

/// x > 0. Of an approximation y: log x = y + log(1 + d), d = x e^-y - 1, and d / (1 + d) <= log(1 + d) <= d.
[[nodiscard]] Interval log(const Interval& x);

/// Machin's formula, alternating series.
[[nodiscard]] const Interval& pi();

/// Standard normal distribution function: 1/2 + density * (x + x^3/3 + x^5/(3*5) + ...), whose remainder is below a geometric
/// series; the other tail by symmetry.
[[nodiscard]] Interval normal_cdf(const Interval& x);

}  // namespace vectors
