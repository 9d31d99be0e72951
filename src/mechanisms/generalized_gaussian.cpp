#include "pld/mechanisms/generalized_gaussian.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/fraction.hpp>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <string>
#include <utility>

#include "core/number_text.hpp"
#include "mechanisms/parameter_text.hpp"
#include "mechanisms/ranges.hpp"
#include "mechanisms/scaled_sensitivity.hpp"
#include "numeric/roundings.hpp"
#include "pairs/analytic_law.hpp"
#include "pld/mechanisms/gaussian.hpp"
#include "pld/mechanisms/laplace.hpp"
#include "pld/pairs/symmetric_noise.hpp"

namespace pld {
namespace {

/// Legendre's continued fraction of e^z z^-a Gamma(a, z), its reciprocal (DLMF 8.9.2).
class GammaTailFraction {
 public:
  using result_type = std::pair<double, double>;
  GammaTailFraction(double a, double z) : a_(a), b_(z - 1 - a) {}
  result_type operator()() {
    const double k = k_++;
    b_ += 2;
    return {k * (a_ - k), b_};
  }

 private:
  double a_, b_, k_ = 0;
};

/// The powers of a complex distance w with a <= Re w <= b, |Im w| <= height, 0 < a.
struct Distance {
  double least = 0, excess = 0, most = 0, angle = 0;

  Distance(double a, double b, double height)
      : least(a), excess(std::hypot(a, height) - a), most(b + excess), angle(std::atan2(height, a)) {}
  /// Re w^p is at least this, p angle <= pi/2.
  [[nodiscard]] double least_power(double p) const { return std::pow(least, p) * std::cos(p * angle); }
};

/// One of the four stretches on which the loss |x|^p - |x - s|^p is analytic, from 0 or s outward, counted from there:
/// at a turning point a power of the distance is not. P and Q swapped are the mirror image.
class PowerDensity final : public AnalyticDensity {
 public:
  enum class Stretch { left, low_half, high_half, right };
  struct Shape {
    double p = 2, s = 1, log_normaliser = 0;
    std::function<double(double)> loss_error;  ///< at an outcome
  };
  PowerDensity(Shape shape, Stretch stretch, double least, double most)
      : AnalyticDensity(falls(stretch) ? -most : least, falls(stretch) ? -least : most),
        shape_(std::move(shape)),
        stretch_(stretch) {}

  [[nodiscard]] LawPoint at(long double x) const override {
    const double p = shape_.p, s = shape_.s, w = static_cast<double>(std::fabs(x)), far = inner() ? s - w : s + w;
    const double loss =
        inner() ? std::pow(w, p) - std::pow(far, p) : -std::pow(far, p) * std::expm1(p * std::log1p(-s / far));
    const double log_q = -std::pow(from_q() ? w : far, p) - shape_.log_normaliser;
    // Carries w's own rounding into w^p, p u of it.
    const bool negative = stretch_ == Stretch::high_half || stretch_ == Stretch::left;
    return {negative ? -loss : loss, log_q, shape_.loss_error(inner() ? s : far), roundings(4, log_q) * (1 + p)};
  }

  [[nodiscard]] std::optional<Box> box(double a, double b, double height) const override {
    if (falls(stretch_)) {
      std::swap(a, b);
      a = -a, b = -b;
    }
    const double p = shape_.p, s = shape_.s;
    const auto reach = [&](double power, const Distance& d) { return std::fabs(power) * d.angle < 1.5; };
    if (!(a > 0) || (inner() && !(b < s))) return std::nullopt;
    const Distance near(a, b, height);
    const Distance far = inner() ? Distance(s - b, s - a, height) : Distance(s + a, s + b, height);
    if (!reach(p, near) || !reach(p, far)) return std::nullopt;
    const double log_q = -(from_q() ? near : far).least_power(p) - shape_.log_normaliser;
    Box box{log_q, 0, 0, 0, 0};
    if (inner()) {
      // w^p - (s - w)^p, of derivative p (w^{p-1} + (s - w)^{p-1}).
      box.least_loss = near.least_power(p) - std::pow(far.most, p);
      box.most_loss = std::pow(near.most, p) - far.least_power(p);
      box.least_turn = p * (near.least_power(p - 1) + far.least_power(p - 1));
      box.most_turn = p * (std::pow(near.most, p - 1) + std::pow(far.most, p - 1));
    } else {
      // (s + w)^p - w^p = p int_0^s (w + v)^{p-1} dv, where the angles are below that of w, and its derivative.
      const double top = near.most;
      const auto rise = [&](double from, double power) {
        return std::pow(s + from, power) * -std::expm1(power * std::log1p(-s / (s + from)));
      };
      box.least_loss = std::cos((p - 1) * near.angle) * rise(near.least, p);
      box.most_loss = rise(top, p);
      const double at_least = p * rise(near.least, p - 1), at_top = p * rise(top, p - 1);
      box.least_turn = std::cos((p - 2) * near.angle) * std::min(at_least, at_top);
      box.most_turn = std::max(at_least, at_top);
    }
    if (stretch_ == Stretch::high_half || stretch_ == Stretch::left) {
      std::swap(box.least_loss, box.most_loss);
      box.least_loss = -box.least_loss, box.most_loss = -box.most_loss;
    }
    return box;
  }

 private:
  [[nodiscard]] static bool falls(Stretch stretch) { return stretch == Stretch::left || stretch == Stretch::high_half; }
  [[nodiscard]] bool inner() const { return stretch_ == Stretch::low_half || stretch_ == Stretch::high_half; }
  /// Whether the stretch begins at Q's centre 0, not at P's, s.
  [[nodiscard]] bool from_q() const { return stretch_ == Stretch::left || stretch_ == Stretch::low_half; }

  Shape shape_;
  Stretch stretch_;
};

/// Density proportional to e^{-|x|^p}, 1 <= p <= 64.
class GeneralizedGaussianNoise final : public SymmetricLogConcaveNoise, public AnalyticNoise {
 public:
  explicit GeneralizedGaussianNoise(double p)
      : p_(p), log_gamma_(boost::math::lgamma(1 / p)), log_normaliser_(std::log(2 / p) + log_gamma_) {}

  [[nodiscard]] double log_density(double x) const override { return -std::pow(std::fabs(x), p_) - log_normaliser_; }

  // Gamma(1/p, z) / (2 Gamma(1/p)), z = x^p: z^(1/p) is x.
  [[nodiscard]] double log_tail(double x) const override {
    using std::numbers::ln2;
    const double a = 1 / p_, z = std::pow(x, p_);
    if (z == infinity) return -infinity;
    if (z < 2) {
      const double inside = boost::math::gamma_p(a, z);
      return (inside < 0.5 ? std::log1p(-inside) : std::log(boost::math::gamma_q(a, z))) - ln2;
    }
    constexpr double far = 1e17;  // from here on the fraction is z; the solver does not end where its squares overflow
    GammaTailFraction fraction(a, z);
    const double of_z = z < far ? boost::math::tools::continued_fraction_b(fraction, unit_roundoff) : z;
    return -z + std::log(x / of_z) - log_gamma_ - ln2;
  }

  [[nodiscard]] double loss(double x, double s) const override {
    if (x < s) return std::pow(x, p_) - std::pow(s - x, p_);
    return -std::pow(x, p_) * std::expm1(p_ * std::log1p(-s / x));
  }

  // x's own rounding is worth p u (loss + 2 s^p), that of s / x as much; the rest are a few roundings of these.
  [[nodiscard]] double loss_error(double x, double s) const override {
    return 8 * unit_roundoff * (p_ + 2) * (loss(x, s) + 2 * std::pow(s, p_));
  }

  // The exponent is -h, h = order (x - s)^p - (order - 1) x^p: h' = p x^{p-1} (order (1 - s/x)^{p-1} - (order - 1))
  // rises where it is positive, so that from there on the integral is at most e^{-h} / h'.
  [[nodiscard]] double log_ratio_moment_beyond(double order, double x, double s) const override {
    if (!(p_ > 1)) return infinity;
    const double share = order * std::pow(1 - s / x, p_ - 1) - (order - 1);
    if (!(share > 1e-9 * order)) return infinity;
    const double slope = p_ * std::pow(x, p_ - 1) * share;
    // -h = (order - 1) loss - (x - s)^p
    const double exponent = (order - 1) * loss(x, s) - std::pow(x - s, p_), error = (order - 1) * loss_error(x, s);
    return exponent - log_normaliser_ - std::log(slope) + error + 1e-9 * (1 + std::fabs(exponent)) +
           1e-5;  // the latter for a slope that cancels
  }

  [[nodiscard]] std::string name() const override { return "generalized, shape " + number_text(p_); }
  [[nodiscard]] double loss_cost() const override { return 2.5; }
  [[nodiscard]] std::vector<double> kinks() const override { return {0}; }
  [[nodiscard]] double power_at_kinks() const override { return p_; }

  // Next to either turning point a stretch is left out whose mass is negligible.
  [[nodiscard]] AnalyticLaw law_of_shift(double s, double log_negligible) const override {
    using Stretch = PowerDensity::Stretch;
    const double log_each = log_negligible - 2;
    double reach = 1;
    while (log_tail(reach) > log_each) reach *= 1.25;
    const double gap = std::min(s / 4, std::exp(log_each + log_normaliser_) / 4);
    const PowerDensity::Shape shape{p_, s, log_normaliser_,
                                    [noise = *this, s](double outcome) { return noise.loss_error(outcome, s); }};
    AnalyticLaw law;
    for (const Stretch stretch : {Stretch::left, Stretch::low_half, Stretch::high_half, Stretch::right}) {
      const bool inner = stretch == Stretch::low_half || stretch == Stretch::high_half;
      law.densities.push_back(std::make_shared<PowerDensity>(shape, stretch, gap, inner ? s / 2 : reach));
    }
    law.log_lost = log_negligible;
    return law;
  }

 private:
  double p_, log_gamma_, log_normaliser_;
};

}  // namespace

std::string describe(const GeneralizedGaussian& mechanism) {
  return mechanism_text(
      "generalized", {{"shape", mechanism.shape}, {"scale", mechanism.scale}, {"sensitivity", mechanism.sensitivity}});
}

PairPtr dominating_pair(const GeneralizedGaussian& mechanism, Direction direction) {
  const auto& [shape, scale, sensitivity] = mechanism;
  require_in(ranges::generalized_shape, "generalized", "shape", shape,
             "below 1 the noise is not log-concave: no theorem gives a dominating pair");
  const double s = scaled_sensitivity("generalized", "scale", scale, sensitivity);
  if (shape == 1) return dominating_pair(Laplace{.scale = scale, .sensitivity = sensitivity}, direction);
  if (shape == 2)
    return dominating_pair(Gaussian{.sigma = scale / std::numbers::sqrt2, .sensitivity = sensitivity}, direction);
  const double most = std::pow(ranges::most_generalized_power, 1 / shape);
  require_in(from_to(ranges::scaled_sensitivity.lowest, most), "generalized", "sensitivity / scale", s);
  return additive_noise_pair(std::make_shared<GeneralizedGaussianNoise>(shape), s);
}

}  // namespace pld
