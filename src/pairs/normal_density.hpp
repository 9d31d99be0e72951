#pragma once

#include <algorithm>
#include <cmath>

#include "numeric/extended.hpp"
#include "pairs/analytic_law.hpp"

namespace pld {

/// Q = N(-mu/2, 1) against P = N(mu/2, 1), the loss mu x: entire functions.
class NormalDensity final : public AnalyticDensity {
 public:
  /// Up to `reach` beyond either mean; mu within 4 u of its size.
  NormalDensity(double mu, double reach) : AnalyticDensity(-mu / 2 - reach, mu / 2 + reach), mu_(mu) {}

  [[nodiscard]] LawPoint at(long double x) const override {
    const long double loss = mu_ * x, away = x + mu_ / 2;
    return {loss, -away * away / 2 - log_root_two_pi,
            unit_roundoff * (8 * static_cast<double>(std::fabs(loss)) + 4 * mu_ * mu_),
            unit_roundoff * (8 + 8 * mu_ * static_cast<double>(std::fabs(away))) +
                felt_rounding(4 * static_cast<double>(away * away))};
  }
  [[nodiscard]] std::optional<Box> box(double a, double b, double height) const override {
    const double least = std::max({0.0, a + mu_ / 2, -(b + mu_ / 2)});
    return Box{(height * height - least * least) / 2 - static_cast<double>(log_root_two_pi), mu_ * a, mu_ * b, mu_,
               mu_};
  }

 private:
  static constexpr long double log_root_two_pi = 0.918938533204672741780329736406L;
  double mu_;
};

/// How far from its mean all but e^log_negligible of N(0, 1) lies, either way.
inline double normal_reach(double log_negligible) { return std::sqrt(-2 * log_negligible); }

}  // namespace pld
