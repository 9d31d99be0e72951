#include "pairs/mixed_shifts_law.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "numeric/extended.hpp"
#include "pairs/normal_density.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

double largest_shift(const std::vector<NormalComponent>& components) {
  double most = 0;
  for (const NormalComponent& c : components) most = std::max(most, c.shift);
  return most;
}

long double loss_of(const NormalComponent& c, long double x) {
  return c.shift * (x - static_cast<long double>(c.shift) / 2);
}

/// Q = N(0, 1), the ratio sum_i w_i e^{shift_i x - shift_i^2 / 2}.
class MixedShiftsDensity final : public AnalyticDensity {
 public:
  MixedShiftsDensity(const std::vector<NormalComponent>& components, double weight_units, double reach)
      : AnalyticDensity(-reach, largest_shift(components) + reach),
        components_(components),
        weight_units_(weight_units),
        largest_shift_(largest_shift(components)) {}

  // The sum's own roundings are those of long doubles, below u / 50 each.
  [[nodiscard]] LawPoint at(long double x) const override {
    const Sums sums = sums_at(x);
    const auto size = static_cast<double>(std::fabs(x));
    const double units = sums.weight_units + 6 * (sums.mean_square + sums.mean_shift * size);
    return {sums.log_ratio, -x * x / 2 - log_root_two_pi,
            unit_roundoff * (units + sums.rounded / 50) + felt_rounding(2 * units + 8 * sums.rounded),
            4 * unit_roundoff + felt_rounding(4 * size * size)};
  }

  // Off the line the terms turn by angles from 0 to T = largest shift times the height, at most pi/2: the sum keeps
  // cos(T/2) of its size, the sine of its angle is at least the mean sine, the tangent at most the mean angle / cos T.
  [[nodiscard]] std::optional<Box> box(double a, double b, double height) const override {
    const double turned = largest_shift_ * height;
    if (!(turned <= 1.2)) return std::nullopt;
    const Sums low = sums_at(a), high = sums_at(b);
    const double least = std::max({0.0, a, -b}), share = turned > 0 ? std::sin(turned) / turned : 1;
    return Box{(height * height - least * least) / 2 - static_cast<double>(log_root_two_pi),
               static_cast<double>(low.log_ratio) + std::log(std::cos(turned / 2)), static_cast<double>(high.log_ratio),
               share * low.mean_shift, std::min(largest_shift_, high.mean_shift / std::cos(turned))};
  }

 private:
  static constexpr long double log_root_two_pi = 0.918938533204672741780329736406L;
  struct Sums {
    long double log_ratio = 0;
    double mean_shift = 0, mean_square = 0;  ///< over the terms at x; that of the shifts grows with x
    double weight_units = 0;                 ///< what errors of the weights make of the ratio's logarithm
    double rounded = 0;                      ///< the size of what is rounded on the way to it
  };
  [[nodiscard]] Sums sums_at(long double x) const {
    long double top = -static_cast<long double>(infinity), sum = 0, shifts = 0, squares = 0, weights = 0;
    for (const NormalComponent& c : components_) top = std::max(top, c.log_weight + loss_of(c, x));
    for (const NormalComponent& c : components_) {
      const long double term = std::exp(c.log_weight + loss_of(c, x) - top), shift = term * c.shift;
      sum += term;
      shifts += shift;
      squares += shift * c.shift;
      weights += term * units_of(c);
    }
    Sums out{top + std::log(sum), static_cast<double>(shifts / sum), static_cast<double>(squares / sum),
             static_cast<double>(weights / sum), static_cast<double>(std::fabs(top)) + terms()};
    return std::fabs(out.log_ratio) > 0.5L ? out : near_one(x, out);
  }

  /// The weights add up to 1: near 0 a sum of what differs from 1 keeps its digits. There the ratio is above 1/2.
  [[nodiscard]] Sums near_one(long double x, Sums out) const {
    long double excess = 0, sizes = 0, weights = 0;
    for (const NormalComponent& c : components_) {
      const long double more = std::exp(static_cast<long double>(c.log_weight)) * std::expm1(loss_of(c, x));
      excess += more;
      sizes += std::fabs(more);
      weights += std::fabs(more) * units_of(c);
    }
    out.log_ratio = std::log1p(excess);
    out.weight_units = static_cast<double>(2 * weights);
    out.rounded = 2 * static_cast<double>(sizes) * (terms() + 4);
    return out;
  }
  [[nodiscard]] double units_of(const NormalComponent& c) const { return weight_units_ + 4 * std::fabs(c.log_weight); }
  [[nodiscard]] double terms() const { return static_cast<double>(components_.size()); }

  std::vector<NormalComponent> components_;
  double weight_units_, largest_shift_;
};

}  // namespace

AnalyticLaw mixed_shifts_law(const std::vector<NormalComponent>& components, double weight_units,
                             double log_negligible) {
  return {.densities = {std::make_shared<MixedShiftsDensity>(components, weight_units, normal_reach(log_negligible))},
          .log_lost = log_negligible};
}

}  // namespace pld
