#include "pld/mechanisms/generalized_gaussian.hpp"

#include <boost/math/special_functions/gamma.hpp>
#include <boost/math/tools/fraction.hpp>
#include <cmath>
#include <numbers>
#include <utility>

#include "mechanisms/parameter_text.hpp"
#include "mechanisms/ranges.hpp"
#include "mechanisms/scaled_sensitivity.hpp"
#include "pld/core/errors.hpp"
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

/// Density proportional to e^{-|x|^p}, 1 <= p <= 64.
class GeneralizedGaussianNoise final : public SymmetricLogConcaveNoise {
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

  [[nodiscard]] std::vector<double> kinks() const override { return {0}; }
  [[nodiscard]] double power_at_kinks() const override { return p_; }

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
