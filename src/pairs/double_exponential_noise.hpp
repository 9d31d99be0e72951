#pragma once

#include <numbers>
#include <string>

#include "pairs/concentrated_slope.hpp"
#include "pld/pairs/symmetric_noise.hpp"

namespace pld {

/// Laplace noise of scale 1.
class DoubleExponentialNoise final : public SymmetricLogConcaveNoise {
 public:
  [[nodiscard]] double log_density(double x) const override { return -std::fabs(x) - std::numbers::ln2; }
  [[nodiscard]] double log_tail(double x) const override { return -x - std::numbers::ln2; }
  [[nodiscard]] double loss(double x, double s) const override { return x < s ? 2 * x - s : s; }
  [[nodiscard]] double loss_error(double /*x*/, double s) const override { return 4 * unit_roundoff * s; }
  [[nodiscard]] double highest_loss(double s) const override { return s; }
  [[nodiscard]] double renyi_slope(double s) const override { return slope_of_laplace(round_up(s)); }
  [[nodiscard]] std::string name() const override { return "laplace"; }
  [[nodiscard]] double exponential_from() const override { return 0; }
};

}  // namespace pld
