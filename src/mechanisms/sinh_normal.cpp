#include "pld/mechanisms/sinh_normal.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <string>
#include <utility>

#include "core/number_text.hpp"
#include "mechanisms/parameter_text.hpp"
#include "mechanisms/ranges.hpp"
#include "mechanisms/scaled_sensitivity.hpp"
#include "numeric/normal_tail.hpp"
#include "pairs/analytic_law.hpp"
#include "pld/core/errors.hpp"
#include "pld/pairs/symmetric_noise.hpp"

namespace pld {
namespace {

double log_cosh(double u) { return std::fabs(u) + std::log1p(std::exp(-2 * std::fabs(u))) - std::numbers::ln2; }

/// Outcomes are counted from s/2, where the loss is 0. On the line the loss is
/// a^2 sinh(2x/a) sinh(s/a) / 2 + log cosh((x - s/2) / a) - log cosh((x + s/2) / a).
class SinhNormalDensity final : public AnalyticDensity {
 public:
  SinhNormalDensity(double a, double s, double reach, std::function<double(double)> loss_error)
      : AnalyticDensity(-reach, reach), a_(a), s_(s), loss_error_(std::move(loss_error)) {}

  [[nodiscard]] LawPoint at(long double x) const override {
    const auto at = static_cast<double>(x);
    // Carries a sinh that is off by some (1 + |u|) u of itself into y^2 / 2.
    const double half = s_ / 2, u = static_cast<double>((x + half) / a_), y = a_ * std::sinh(u);
    return {a_ * a_ / 2 * std::sinh(2 * at / a_) * std::sinh(s_ / a_) + log_cosh((at - half) / a_) - log_cosh(u),
            log_cosh(u) - y * y / 2 - log_root_two_pi, loss_error_(std::fabs(at) + half),
            unit_roundoff * (16 + 8 * (1 + std::fabs(u)) * y * y)};
  }

  // With X + iY for (x + iy) / a: Re sinh^2 = (cosh 2X cos 2Y - 1) / 2, |cosh|^2 = cosh^2 X - sin^2 Y, which is between
  // cos^2 Y cosh^2 X and cosh^2 X, and Re 1 / cosh^2 between 0 and 1 / cos^2 Y for |Y| < pi/4.
  [[nodiscard]] std::optional<Box> box(double a, double b, double height) const override {
    const double y = height / a_, half = s_ / 2;
    if (!(y < 0.7)) return std::nullopt;
    const double cosine = std::cos(2 * y), off = -std::log(std::cos(y));
    const auto nearest = [](double from, double to) { return std::max({0.0, from, -to}); };
    const double u = nearest(a + half, b + half) / a_, farthest = std::max(std::fabs(a + half), std::fabs(b + half));
    const double log_q = log_cosh(farthest / a_) - a_ * a_ / 4 * (std::cosh(2 * u) * cosine - 1) - log_root_two_pi;
    const double growth = a_ * a_ / 2 * std::sinh(s_ / a_);
    const auto grown = [&](double x, bool most) {
      const double value = growth * std::sinh(2 * x / a_);
      return (value > 0) == most ? value : value * cosine;
    };
    const auto sag = [&](double x) { return log_cosh((x - half) / a_) - log_cosh((x + half) / a_); };
    const double turn = a_ * std::sinh(s_ / a_), bend = std::pow(std::cos(y), 2) * a_ * a_;
    return Box{log_q, grown(a, false) + sag(b) - off, grown(b, true) + sag(a) + off,
               turn * std::cosh(2 * nearest(a, b) / a_) * cosine - s_ / bend,
               turn * std::cosh(2 * std::max(std::fabs(a), std::fabs(b)) / a_)};
  }

 private:
  static constexpr double log_root_two_pi = 0.91893853320467274178;
  double a_, s_;
  std::function<double(double)> loss_error_;
};

/// a arsinh(N / a), N standard normal: (log f)'' = (-a^2 cosh(2 x/a) + sech^2(x/a)) / a^2 is at most 0 for a >= 1.
class SinhNormalNoise final : public SymmetricLogConcaveNoise, public AnalyticNoise {
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
  // sinh turns a rounding of its argument v into |v| + 1 of them; and s is a quotient's rounding off, which moves the
  // outcome s/2 of no loss.
  [[nodiscard]] double loss_error(double x, double s) const override {
    const double reach = 1 + 2 * x / a_, slope = (a_ * std::sinh(s / a_)) * std::cosh((2 * x - s) / a_);
    return unit_roundoff * (16 * reach * (1 + growth(x, s)) + 2 * s * slope);
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

  [[nodiscard]] AnalyticLaw law_of_shift(double s, double log_negligible) const override {
    const double beyond = a_ * std::asinh(std::sqrt(-2 * log_negligible) / a_);
    return {.densities = {std::make_shared<SinhNormalDensity>(
                a_, s, beyond + s / 2, [noise = *this, s](double outcome) { return noise.loss_error(outcome, s); })},
            .log_lost = log_negligible};
  }
  [[nodiscard]] std::string name() const override { return "sinh-normal, a " + number_text(a_); }
  [[nodiscard]] double loss_cost() const override { return 4; }
  // Counted from X's own middle they are rounded before they come here: to more digits than a double's.
  [[nodiscard]] bool has_outcomes() const override { return std::numeric_limits<long double>::digits >= 64; }

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
