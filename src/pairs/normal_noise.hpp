#pragma once

#include <cmath>
#include <memory>
#include <string>

#include "numeric/normal_tail.hpp"
#include "numeric/well_above.hpp"
#include "pairs/normal_density.hpp"
#include "pld/pairs/symmetric_noise.hpp"

namespace pld {

/// The standard normal law.
class NormalNoise final : public SymmetricLogConcaveNoise, public AnalyticNoise {
 public:
  [[nodiscard]] double log_density(double x) const override { return log_normal_density(x); }
  [[nodiscard]] double log_tail(double x) const override { return log_normal_tail(x); }
  [[nodiscard]] double loss(double x, double s) const override { return s * (x - s / 2); }
  [[nodiscard]] double loss_error(double x, double s) const override {
    return 4 * unit_roundoff * s * (std::fabs(x) + s);
  }
  // E of e^{order loss} moves the mean by order s.
  [[nodiscard]] double log_ratio_moment_beyond(double order, double x, double s) const override {
    const double whole = order * (order - 1) * s * s / 2, tail = log_normal_tail(x - order * s);
    if (!(whole < 1e300)) return infinity;
    return well_above(whole + tail, whole + std::fabs(tail));
  }
  // Exactly order s^2 / 2.
  [[nodiscard]] double renyi_slope(double s) const override { return round_up(s * s / 2, 4); }
  [[nodiscard]] std::string name() const override { return "normal"; }
  [[nodiscard]] AnalyticLaw law_of_shift(double s, double log_negligible) const override {
    return {.densities = {std::make_shared<NormalDensity>(s, normal_reach(log_negligible))},
            .log_lost = log_negligible};
  }
  [[nodiscard]] bool has_outcomes() const override { return true; }
};

inline bool is_normal(const SymmetricLogConcaveNoise& noise) {
  return dynamic_cast<const NormalNoise*>(&noise) != nullptr;
}

}  // namespace pld
