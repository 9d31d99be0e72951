#include "pairs/mixed_shifts_law.hpp"

#include <algorithm>
#include <cmath>

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
        largest_shift_(largest_shift(components)) {
    concave_ = is_concave();
    for (const NormalComponent& c : components) weights_.push_back(std::exp(static_cast<long double>(c.log_weight)));
  }

  // The sum's own roundings are those of long doubles, below u / 50 each.
  [[nodiscard]] LawPoint at(long double x) const override {
    const Sums sums = sums_at(x);
    const auto size = static_cast<double>(std::fabs(x));
    const double units = sums.weight_units + 6 * (sums.mean_square + sums.mean_shift * size);
    return {sums.log_ratio, -x * x / 2 - log_root_two_pi,
            unit_roundoff * (units + sums.rounded / 50) + felt_rounding(2 * units + 8 * sums.rounded),
            4 * unit_roundoff + felt_rounding(4 * size * size)};
  }

  // Those of the terms that weigh, and near a ratio of 1 of all.
  [[nodiscard]] double cost() const override {
    constexpr double points_a_term = 1.5, most_terms = 24, share_near_one = 0.25;
    return points_a_term * (std::min(most_terms, terms() - 1) + share_near_one * terms());
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
  /// The largest exponent of a term, and the terms among which all are that weigh.
  struct Range {
    long double top;
    std::size_t first, last;
  };
  /// Leaves out terms that are e^-60 of the largest each, less than what that is rounded by: of a group's few weigh.
  static constexpr long double negligible = -60;
  [[nodiscard]] long double exponent_of(std::size_t i, long double x) const {
    return components_[i].log_weight + loss_of(components_[i], x);
  }
  [[nodiscard]] Range terms_at(long double x) const {
    const std::size_t count = components_.size();
    long double top = -static_cast<long double>(infinity);
    if (!concave_) {
      for (std::size_t i = 0; i < count; ++i) top = std::max(top, exponent_of(i, x));
      return {top, 0, count};
    }
    std::size_t low = 0, high = count - 1;  // the exponents rise before the largest and fall after it
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (exponent_of(middle + 1, x) > exponent_of(middle, x))
        low = middle + 1;
      else
        high = middle;
    }
    top = exponent_of(low, x);
    std::size_t last = low + 1;
    while (low > 0 && exponent_of(low - 1, x) - top >= negligible) --low;
    while (last < count && exponent_of(last, x) - top >= negligible) ++last;
    return {top, low, last};
  }
  /// Whether the logarithms of the weights are concave over rising shifts, as a group's are: exponents are then, too.
  [[nodiscard]] bool is_concave() const {
    double before = infinity;
    for (std::size_t i = 1; i < components_.size(); ++i) {
      const NormalComponent &a = components_[i - 1], &b = components_[i];
      const double slope = (b.log_weight - a.log_weight) / (b.shift - a.shift);
      if (!(a.shift < b.shift && slope <= before)) return false;
      before = slope;
    }
    return true;
  }
  [[nodiscard]] Sums sums_at(long double x) const {
    long double sum = 0, shifts = 0, squares = 0, weights = 0;
    const auto [top, first, last] = terms_at(x);
    for (std::size_t i = first; i < last; ++i) {
      const NormalComponent& c = components_[i];
      const long double exponent = exponent_of(i, x) - top;
      if (exponent < negligible) continue;
      const long double term = std::exp(exponent), shift = term * c.shift;
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
    for (std::size_t i = 0; i < components_.size(); ++i) {
      const NormalComponent& c = components_[i];
      const long double more = weights_[i] * std::expm1(loss_of(c, x));
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
  std::vector<long double> weights_{};
  double weight_units_, largest_shift_;
  bool concave_ = false;
};

}  // namespace

AnalyticLaw mixed_shifts_law(const std::vector<NormalComponent>& components, double weight_units,
                             double log_negligible) {
  return {.densities = {std::make_shared<MixedShiftsDensity>(components, weight_units, normal_reach(log_negligible))},
          .log_lost = log_negligible};
}

}  // namespace pld
