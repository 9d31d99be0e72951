#include "pld/mechanisms/logistic.hpp"

#include <cmath>
#include <string>

#include "mechanisms/parameter_text.hpp"
#include "mechanisms/scaled_sensitivity.hpp"
#include "numeric/roundings.hpp"
#include "pairs/bounded_range_pair.hpp"
#include "pld/pairs/symmetric_noise.hpp"

namespace pld {
namespace {

/// Unit scale.
class LogisticNoise final : public SymmetricLogConcaveNoise, public AnalyticNoise {
 public:
  [[nodiscard]] double log_density(double x) const override {
    return -std::fabs(x) - 2 * std::log1p(std::exp(-std::fabs(x)));
  }
  [[nodiscard]] double log_tail(double x) const override { return -x - std::log1p(std::exp(-x)); }
  // The |x| of both densities taken together, so that nothing grows with x: each term is at most 2 s or 2 log 2.
  [[nodiscard]] double loss(double x, double s) const override {
    const double rest = 2 * std::log1p(std::exp(-x)) - 2 * std::log1p(std::exp(-std::fabs(x - s)));
    return (x >= s ? s : 2 * x - s) + rest;
  }
  // The slope times x, what x's own rounding is worth, is at most 2 (s + 1).
  [[nodiscard]] double loss_error(double, double s) const override { return roundings(16, s); }
  [[nodiscard]] double highest_loss(double s) const override { return s; }
  [[nodiscard]] std::string name() const override { return "logistic"; }
  [[nodiscard]] double loss_cost() const override { return 2; }
  // With u = F(x), uniform under Q, the ratio is e^s / v^2, v = e^s - (e^s - 1) u: the loss z has the Q density
  // e^{-z/2} / (4 sinh(s/2)) on [-s, s].
  [[nodiscard]] AnalyticLaw law_of_shift(double s, double) const override { return law_of_range(s); }
};

}  // namespace

std::string describe(const Logistic& mechanism) {
  return mechanism_text("logistic", {{"scale", mechanism.scale}, {"sensitivity", mechanism.sensitivity}});
}

PairPtr dominating_pair(const Logistic& mechanism, Direction) {
  const double s = scaled_sensitivity("logistic", "scale", mechanism.scale, mechanism.sensitivity);
  return additive_noise_pair(std::make_shared<LogisticNoise>(), s);
}

}  // namespace pld
