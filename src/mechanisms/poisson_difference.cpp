#include "pld/mechanisms/poisson_difference.hpp"

#include <boost/math/constants/constants.hpp>
#include <cmath>
#include <vector>

#include "mechanisms/parameter_text.hpp"
#include "mechanisms/ranges.hpp"
#include "numeric/extended.hpp"
#include "pld/core/errors.hpp"
#include "pld/pairs/log_concave_integer_noise.hpp"

namespace pld {
namespace {

using Polynomial = std::vector<Extended>;

/// The polynomials of Debye's expansion of I_nu(z), u_k(p) = p^k c_k(p^2), by their recurrence (Abramowitz and
/// Stegun 9.3.10).
std::vector<Polynomial> debye_polynomials(std::size_t count) {
  std::vector<Polynomial> all{{1}};  // of p
  while (all.size() <= count) {
    const Polynomial& u = all.back();
    Polynomial next(u.size() + 3, 0.0L);
    for (std::size_t i = 0; i < u.size(); ++i) {
      const auto power = static_cast<Extended>(i);
      next[i + 1] += u[i] * (power / 2 + 1 / (8 * (power + 1)));
      next[i + 3] -= u[i] * (power / 2 + 5 / (8 * (power + 3)));
    }
    all.push_back(next);
  }
  return all;
}

/// log sum_k c_k(p^2) / w^k: what Debye's leading term leaves out. For w >= 60 the 17th term is below 2^-64.
Extended log_debye_series(Extended p_squared, Extended w) {
  constexpr std::size_t count = 16;
  static const std::vector<Polynomial> polynomials = debye_polynomials(count);
  Extended sum = 0, scale = 1;
  for (std::size_t k = 1; k <= count; ++k) {
    scale /= w;
    if (scale < 0x1p-80L) break;  // |u_k| stays below 2^10
    const Polynomial& u = polynomials[k];
    Extended value = 0;
    for (std::size_t i = u.size(); i-- > 0 && i >= k;)
      if ((i - k) % 2 == 0) value = value * p_squared + u[i];
    sum += scale * value;
  }
  return log1p(sum);
}

/// (1 + d) log(1 + d) - d >= 0 for d >= -1, to relative accuracy.
Extended relative_entropy(Extended d) {
  if (d <= -1) return 1;
  if (fabs(d) > 0.1L) return (1 + d) * log1p(d) - d;
  Extended sum = 0, power = d * d;
  for (int j = 2; j < 26; ++j, power *= -d) sum += power / (j * (j - 1));
  return sum;
}

/// X - Y, X and Y Poisson of means a and b: mass e^{-a-b} (a/b)^{k/2} I_k(2 sqrt(ab)) (Skellam 1946).
class PoissonDifferenceNoise final : public LogConcaveIntegerNoise {
 public:
  PoissonDifferenceNoise(double plus, double minus) : plus_(plus), minus_(minus), mode_(0) {
    if (plus == minus) return;
    mode_ = std::floor(plus - minus);
    while (log_mass(mode_ + 1) > log_mass(mode_)) ++mode_;
    while (log_mass(mode_ - 1) > log_mass(mode_)) --mode_;
  }

  [[nodiscard]] long double log_mass(double x) const override { return static_cast<long double>(unrounded(x)); }

  /// Far out by its derivative half way; what that leaves is below 2^-64.
  [[nodiscard]] long double loss(double x, double s) const override {
    if (std::fabs(x) < 0x1p40) return static_cast<long double>(unrounded(x - s) - unrounded(x));
    const Tilted t(x - s / 2, plus_, minus_);
    return static_cast<long double>(s * (t.log_plus() + (x - s / 2) / (2 * t.w * t.w)));
  }

  // Masses fall by g(y) = sqrt(a/b) I_{y+1} / I_y from y to y + 1, and terms by g(y - s)^order g(y)^(1 - order) = g(y -
  // s) (g(y - s) / g(y))^(order - 1). With c = 2 sqrt(ab) and h(u, v) = u + sqrt(c^2 + v^2), I_{y+1} / I_y lies between
  // c / h(y + 1/2, y + 3/2) and c / h(y + 1/2, y + 1/2) (Amos 1974), and h moves by at most 2 s + 1 from the one at y
  // to the other at y - s.
  [[nodiscard]] double log_ratio_moment_from(double order, double x, double s, bool mirrored) const override {
    const double y = x - s;
    if (!(y >= 0)) return infinity;
    const auto plus = static_cast<double>(mirrored ? minus_ : plus_),
               minus = static_cast<double>(mirrored ? plus_ : minus_);
    const double c = 2 * std::sqrt(plus * minus), h = y + 0.5 + std::hypot(c, y + 0.5);
    const double log_fall = std::log(2 * plus / h) + (order - 1) * std::log1p((2 * s + 1) / h);
    if (!(log_fall < -1e-9)) return infinity;
    const double sign = mirrored ? -1 : 1;
    // In the range of Extended: as doubles both may be -inf.
    const Extended from_mode = unrounded(sign * y), over = unrounded(sign * x),
                   first = order * from_mode - (order - 1) * over;
    const Extended error = 1e-9L + 1e-12L * order * (fabs(from_mode) + fabs(over));
    return static_cast<double>(first - std::log(-std::expm1(log_fall)) + error);
  }

  [[nodiscard]] double mode() const override { return mode_; }
  [[nodiscard]] bool symmetric() const override { return plus_ == minus_; }

 private:
  [[nodiscard]] Extended unrounded(double x) const {
    const Tilted t(x, plus_, minus_);
    if (t.w < 60) return x >= 0 ? log_mass_by_series(x, plus_, minus_) : log_mass_by_series(-x, minus_, plus_);
    // With a' - b' = k, a' b' = a b, Debye's exponent is -(a h(a'/a) + b h(b'/b)), h(x) = x log x - x + 1: no
    // cancellation.
    const Extended exponent = plus_ * relative_entropy(t.plus_excess) + minus_ * relative_entropy(t.minus_excess);
    const Extended p = x / t.w;
    return -exponent - log(2 * boost::math::constants::pi<Extended>() * t.w) / 2 + log_debye_series(p * p, t.w);
  }

  /// The means a', b' of the two with the same product and the difference k: a'/a - 1 and b'/b - 1, and w = a' + b'.
  struct Tilted {
    Tilted(Extended k, Extended a, Extended b) {
      const Extended product = 4 * a * b;
      w = hypot(k, sqrt(product));
      const Extended twice_plus = k >= 0 ? w + k : product / (w - k), twice_minus = k >= 0 ? product / (w + k) : w - k;
      const Extended off = k - (a - b);
      plus_share = twice_plus / (2 * a);
      plus_excess = off * (twice_plus + 2 * a) / (2 * (w + a + b)) / a;
      minus_excess = -off * (twice_minus + 2 * b) / (2 * (w + a + b)) / b;
    }
    /// log(a'/a), also where a'/a - 1 is next to -1.
    [[nodiscard]] Extended log_plus() const { return plus_excess < -0.5L ? log(plus_share) : log1p(plus_excess); }
    Extended w, plus_share, plus_excess, minus_excess;
  };

  /// e^{-a-b} a^k / k! sum_j (ab)^j / (j! (k+1) ... (k+j)), for k >= 0.
  static Extended log_mass_by_series(Extended k, Extended a, Extended b) {
    Extended first = exp(-(a + b));
    for (Extended i = 1; i <= k; ++i) first *= a / i;
    Extended sum = 0, term = 1;
    for (Extended j = 1; term > sum * 0x1p-68L; ++j) {
      sum += term;
      term *= a * b / (j * (k + j));
    }
    return log(first * sum);
  }

  Extended plus_, minus_;
  double mode_;
};

}  // namespace

std::string describe(const PoissonDifference& mechanism) {
  return mechanism_text("poisson-difference",
                        {{"plus", mechanism.plus}, {"minus", mechanism.minus}, {"sensitivity", mechanism.sensitivity}});
}

PairPtr dominating_pair(const PoissonDifference& mechanism, Direction direction) {
  const auto& [plus, minus, sensitivity] = mechanism;
  require_in(ranges::positive, "poisson-difference", "plus", plus);
  require_in(ranges::poisson_variance, "poisson-difference", "plus + minus", plus + minus);
  require_in(ranges::poisson_skew, "poisson-difference", "minus / plus", minus / plus);
  return integer_noise_pair(std::make_shared<PoissonDifferenceNoise>(plus, minus), sensitivity, direction);
}

PoissonDifference replacing(const PoissonDifference& mechanism) {
  if (mechanism.plus != mechanism.minus)
    throw MissingTheorem(
        describe(mechanism), "adjacency", "replace-one",
        "add-remove or zero-out, or equal means: a replaced record moves a count either way, and of the two "
        "signs of asymmetric noise neither dominates");
  return {mechanism.plus, mechanism.minus, 2 * mechanism.sensitivity};
}

}  // namespace pld
