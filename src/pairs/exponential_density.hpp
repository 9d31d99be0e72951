#pragma once

#include <cmath>

#include "numeric/extended.hpp"
#include "numeric/roundings.hpp"
#include "pairs/analytic_law.hpp"

namespace pld {

/// Losses on an interval with the Q density e^{log_factor - z/2}, and so the P density e^{log_factor + z/2}: those
/// between the two atoms of Laplace noise, of logistic noise, of bounded range. An outcome is its loss.
class ExponentialDensity final : public AnalyticDensity {
 public:
  /// `log_factor` within 8 u (1 + |log_factor|), and the ends within 4 u of their sizes.
  ExponentialDensity(double lowest, double highest, long double log_factor)
      : AnalyticDensity(lowest, highest),
        log_factor_(log_factor),
        reach_(std::fmax(std::fabs(lowest), std::fabs(highest))) {}

  // An end that is off moves all losses in proportion.
  [[nodiscard]] LawPoint at(long double z) const override {
    const auto size = static_cast<double>(std::fabs(z));
    return {z, log_factor_ - z / 2, 4 * unit_roundoff * size + felt_rounding(4 * size),
            roundings(8, 1, log_factor_, reach_)};
  }
  [[nodiscard]] std::optional<Box> box(double a, double b, double) const override {
    return Box{static_cast<double>(log_factor_) - a / 2, a, b, 1, 1};
  }

 private:
  long double log_factor_;
  double reach_;
};

}  // namespace pld
