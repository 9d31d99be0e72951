#include "pld/mechanisms/truncated_laplace.hpp"

#include <cmath>
#include <numbers>

#include "mechanisms/parameter_text.hpp"
#include "mechanisms/ranges.hpp"
#include "mechanisms/scaled_sensitivity.hpp"
#include "numeric/roundings.hpp"
#include "pairs/exponential_density.hpp"
#include "pld/pairs/symmetric_noise.hpp"

namespace pld {
namespace {

/// Laplace noise of any scale on [-t, t].
class TruncatedLaplaceNoise final : public SymmetricLogConcaveNoise, public AnalyticNoise {
 public:
  TruncatedLaplaceNoise(double scale, double t)
      : scale_(scale), t_(t), log_normaliser_(std::log(2 * scale) + std::log(-std::expm1(-t / scale))) {}

  [[nodiscard]] double log_density(double x) const override {
    return std::fabs(x) <= t_ ? -std::fabs(x) / scale_ - log_normaliser_ : -infinity;
  }
  [[nodiscard]] double log_tail(double x) const override {
    return x < t_ ? std::log(-scale_ * std::expm1((x - t_) / scale_)) - x / scale_ - log_normaliser_ : -infinity;
  }
  [[nodiscard]] double loss(double x, double s) const override { return (x >= s ? s : 2 * x - s) / scale_; }
  [[nodiscard]] double loss_error(double, double s) const override { return 8 * unit_roundoff * s / scale_; }
  [[nodiscard]] double largest() const override { return t_; }
  [[nodiscard]] double exponential_from() const override { return 0; }

  // Between 0 and s the loss is z = (2x - s) / scale, beyond it is flat.
  [[nodiscard]] AnalyticLaw law_of_shift(double s, double) const override {
    const long double t = static_cast<long double>(t_) / scale_, shift = static_cast<long double>(s) / scale_;
    const long double log_twice = std::log(-2 * std::expm1(-t));  // of twice the mass of either side
    const double top = s / scale_, highest = s < t_ ? top : (2 * t_ - s) / scale_;
    const double mass_error = roundings(8, top);
    AnalyticLaw law;
    if (s < t_) {
      const long double log_rest = std::log(-std::expm1((static_cast<long double>(s) - t_) / scale_)) - log_twice;
      const double loss_error = 2 * unit_roundoff * top;
      law.atoms = {{-shift, log_rest, loss_error, mass_error}, {shift, log_rest - shift, loss_error, mass_error}};
    }
    law.densities = {std::make_shared<ExponentialDensity>(-highest, highest,
                                                          -shift / 2 - log_twice - std::numbers::ln2_v<long double>)};
    return law;
  }

 private:
  double scale_, t_, log_normaliser_;
};

}  // namespace

std::string describe(const TruncatedLaplace& mechanism) {
  return mechanism_text(
      "truncated-laplace",
      {{"scale", mechanism.scale}, {"bound", mechanism.bound}, {"sensitivity", mechanism.sensitivity}});
}

PairPtr dominating_pair(const TruncatedLaplace& mechanism, Direction) {
  const auto& [scale, bound, sensitivity] = mechanism;
  scaled_sensitivity("truncated-laplace", "scale", scale, sensitivity);
  require_in(ranges::truncation, "truncated-laplace", "bound / scale", bound / scale);
  // In units of a power of two: what lies between the sensitivity and the bound keeps its digits.
  const int exponent = std::ilogb(scale);
  const auto exact = [exponent](double x) { return std::scalbn(x, -exponent); };
  return additive_noise_pair(std::make_shared<TruncatedLaplaceNoise>(exact(scale), exact(bound)), exact(sensitivity));
}

}  // namespace pld
