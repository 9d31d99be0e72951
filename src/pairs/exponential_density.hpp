#pragma once

#include <algorithm>
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

/// What lies between two losses, cut at -end and end, of the P density e^{(z - end)/2} / (2 e^log_total): both masses
/// are exponentials times the same factor 1 - e^{-width/2}, and the barycentre is the middle.
[[nodiscard]] inline LossCell exponential_cell(double left, double right, double end, double log_total) {
  left = std::max(left, -end);
  right = std::min(right, end);
  if (!(left < right)) return {};
  const double log_factor = std::log(-std::expm1(-0.5 * (right - left))) - log_total;
  return {.loss = 0.5 * (left + right),
          .log_mass = log_factor - 0.5 * (end - right),
          .log_q_mass = log_factor - 0.5 * (end + left)};
}

}  // namespace pld
