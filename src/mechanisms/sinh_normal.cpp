#include "pld/mechanisms/sinh_normal.hpp"

#include <cmath>
#include <numbers>

#include "mechanisms/parameter_text.hpp"
#include "mechanisms/ranges.hpp"
#include "mechanisms/scaled_sensitivity.hpp"
#include "numeric/normal_tail.hpp"
#include "pld/core/errors.hpp"
#include "pld/pairs/symmetric_noise.hpp"

namespace pld {
namespace {

double log_cosh(double u) { return std::fabs(u) + std::log1p(std::exp(-2 * std::fabs(u))) - std::numbers::ln2; }

/// a arsinh(N / a), N standard normal: (log f)'' = (-a^2 cosh(2 x/a) + sech^2(x/a)) / a^2 is at most 0 for a >= 1.
class SinhNormalNoise final : public SymmetricLogConcaveNoise {
 public:
  explicit SinhNormalNoise(double a) : a_(a) {}

  [[nodiscard]] double log_density(double x) const override {
    constexpr double log_sqrt_2pi = 0.91893853320467274178;
    const double y = normal_of(x);
    return log_cosh(x / a_) - 0.5 * y * y - log_sqrt_2pi;
  }
  [[nodiscard]] double log_tail(double x) const override { return log_normal_tail(normal_of(x)); }
  // sinh^2(u) - sinh^2(v) = sinh(u + v) sinh(u - v).
  [[nodiscard]] double loss(double x, double s) const override {
    return growth(x, s) + log_cosh((x - s) / a_) - log_cosh(x / a_);
  }
  // sinh turns a rounding of its argument v into |v| + 1 of them.
  [[nodiscard]] double loss_error(double x, double s) const override {
    const double reach = 1 + 2 * x / a_;
    return 16 * unit_roundoff * reach * (1 + growth(x, s));
  }

  // order log f(x - s) - (order - 1) log f(x): of -a^2/4 (order cosh 2(x - s)/a - (order - 1) cosh 2x/a) the
  // derivative's size grows where sinh 2(x - s)/a is more than (order - 1) / order of sinh 2x/a, a share that rises to
  // e^{-2s/a}. The logarithms of cosh add at most 1/a to it.
  [[nodiscard]] double log_ratio_moment_beyond(double order, double x, double s) const override {
    if (order >= infinite_order(s)) return infinity;
    const double u = 2 * x / a_, v = 2 * (x - s) / a_;
    const double fall = a_ / 2 * (order * std::sinh(v) - (order - 1) * std::sinh(u)), slope = fall - 1 / a_;
    if (!(fall > 1e-9 * a_ * order * std::sinh(u)) || !(slope > 0)) return infinity;
    const double exponent = log_density(x - s) + (order - 1) * loss(x, s), error = (order - 1) * loss_error(x, s);
    return exponent + error - std::log(slope) + 1e-9 * (1 + std::fabs(exponent)) + 1e-5;  // a slope that cancels
  }
  // The exponent falls without end only while order e^{-2s/a} > order - 1.
  [[nodiscard]] double infinite_order(double s) const override { return -1 / std::expm1(-2 * s / a_); }

 private:
  /// a sinh(x / a): the quotient's remainder, by which sinh is off by far more than a rounding, is put back.
  [[nodiscard]] double normal_of(double x) const {
    const double u = x / a_, y = a_ * std::sinh(u);
    return std::isfinite(y) ? y + std::fma(-u, a_, x) * std::cosh(u) : y;
  }
  [[nodiscard]] double growth(double x, double s) const {
    return 0.5 * (a_ * std::sinh((2 * x - s) / a_)) * (a_ * std::sinh(s / a_));
  }

  double a_;
};

}  // namespace

std::string describe(const SinhNormal& mechanism) {
  return mechanism_text("sinh-normal",
                        {{"sigma", mechanism.sigma}, {"a", mechanism.a}, {"sensitivity", mechanism.sensitivity}});
}

PairPtr dominating_pair(const SinhNormal& mechanism, Direction) {
  const auto& [sigma, a, sensitivity] = mechanism;
  const double s = scaled_sensitivity("sinh-normal", "sigma", sigma, sensitivity);
  require_in(ranges::sinh_normal_a, "sinh-normal", "a / sigma", a / sigma,
             "below 1 the noise is not log-concave: no theorem gives a dominating pair");
  return additive_noise_pair(std::make_shared<SinhNormalNoise>(a / sigma), s);
}

}  // namespace pld
