#include "pld/mechanisms/gaussian_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>

#include "mechanisms/parameter_text.hpp"
#include "mechanisms/ranges.hpp"
#include "numeric/compensated_sum.hpp"
#include "numeric/exp_or_zero.hpp"
#include "numeric/normal_tail.hpp"
#include "numeric/well_above.hpp"
#include "pairs/analytic_law.hpp"
#include "pairs/least_renyi.hpp"
#include "pairs/mirrored_pair.hpp"
#include "pairs/mixed_shifts_law.hpp"
#include "pairs/monotone_pair.hpp"
#include "pairs/two_atom_pair.hpp"
#include "pld/core/errors.hpp"

namespace pld {
namespace {

/// Counted from the end nearer to 0: the width has no more digits than the other one.
double log_normal_mass(double a, double b) {
  if (a == -infinity) return log_normal_tail(-b);
  return a + b < 0 ? log_normal_interval(-b, b - a) : log_normal_interval(a, b - a);
}

/// log sum e^{exponent(i)}.
template <class Exponent>
double log_sum_over(const std::vector<NormalComponent>& components, const Exponent& exponent) {
  double top = -infinity;
  for (const NormalComponent& c : components) top = std::max(top, exponent(c));
  if (std::isinf(top)) return top;
  CompensatedSum sum;
  for (const NormalComponent& c : components) sum.add(exp_or_zero(exponent(c) - top));
  return top + std::log(sum.value());
}

/// sum_i w_i N(shift_i, 1) against N(0, 1), shifts >= 0 and not all 0: the loss log sum_i w_i e^{shift_i x - shift_i^2
/// / 2} grows with the outcome x.
class GaussianMixturePair final : public MonotonePair, public AnalyticPair, public KnownLeastRenyi {
 public:
  explicit GaussianMixturePair(std::vector<NormalComponent> components) : components_(std::move(components)) {
    largest_shift_ = std::max_element(components_.begin(), components_.end(), [](const auto& a, const auto& b) {
                       return a.shift < b.shift;
                     })->shift;
    std::vector<NormalComponent> unmoved;
    std::copy_if(components_.begin(), components_.end(), std::back_inserter(unmoved),
                 [](const NormalComponent& c) { return c.shift == 0; });
    // As loss_at() rounds it far out, where no others count: a last digit apart, the loss would never come to its
    // limit.
    const double lowest = log_sum_over(unmoved, [](const NormalComponent& c) { return c.log_weight; });
    Line line;
    line.centre = largest_shift_ / 2;
    line.turns = {0};
    line.outline = [this] { return evenly_outlined(largest_shift_); };
    place(std::move(line), {lowest, infinity});
  }

  [[nodiscard]] double cell_cost() const override {
    return std::max(MonotonePair::cell_cost(), 4 * static_cast<double>(components_.size()));
  }
  // r^order is convex in r for order > 1 and order < 0, so at most the components' own ratios' mean (Jensen); theirs
  // move the normal outcome by order times the shift.
  [[nodiscard]] double log_tail_moment(double order, double from) const override {
    const double at = outcome_at(from), slack = 1e-9 * (1 + std::fabs(at));
    if (std::isinf(at)) return (order > 1) == (at > 0) ? -infinity : infinity;
    const auto term = [&](const NormalComponent& c) {
      const double tail =
          order > 1 ? log_normal_tail(at - slack - order * c.shift) : log_normal_tail(order * c.shift - at - slack);
      return c.log_weight + order * (order - 1) * c.shift * c.shift / 2 + tail;
    };
    const double sum = log_sum_over(components_, term);
    return well_above(sum, std::fabs(sum) + 2 * order * order * largest_shift_ * largest_shift_);
  }
  [[nodiscard]] double renyi_slope() const override { return round_up(largest_shift_ * largest_shift_ / 2, 8); }
  /// The mixture is at least its weight of each component.
  [[nodiscard]] double least_renyi(double order) const override {
    double most = 0;
    for (const NormalComponent& c : components_)
      most = std::max(most, least_renyi_of_share(order * c.shift * c.shift / 2, c.log_weight, order));
    return most;
  }

  [[nodiscard]] std::optional<AnalyticLaw> analytic_law(double log_negligible) const override {
    constexpr double weight_units = 4;  // a weight's quotient by the sum, and their sum
    return mixed_shifts_law(components_, weight_units, log_negligible);
  }

 private:
  [[nodiscard]] double loss_at(double x) const override {
    return log_sum_over(components_,
                        [x](const NormalComponent& c) { return c.log_weight + c.shift * (x - c.shift / 2); });
  }
  // A term's exponent is off by 6 u (|log w| + shift (|x| + shift)), a rounding of x by u |x| shift; the mean over the
  // terms is no more than the largest, and those with a small weight in the sum count by it: |log w| by 1 at most.
  [[nodiscard]] double loss_error_at(double x) const override {
    return unit_roundoff * (16 + 12 * largest_shift_ * (std::fabs(x) + largest_shift_) +
                            (x < 0 ? 4 * std::fabs(range().lowest > -infinity ? range().lowest : loss_at(x)) : 0));
  }
  [[nodiscard]] double log_q_density(double x) const override { return -0.5 * x * x - 0.91893853320467274178; }
  /// Sums the components themselves: far out log Q and the loss cancel.
  [[nodiscard]] double log_p_density(double x) const override {
    return log_sum_over(components_,
                        [&](const NormalComponent& c) { return c.log_weight + log_q_density(x - c.shift); });
  }
  [[nodiscard]] std::optional<double> log_p_interval(double a, double b) const override {
    if (!(a < b)) return -infinity;
    return log_sum_over(components_, [=](const NormalComponent& c) {
      return c.log_weight + log_normal_mass(a - c.shift, b - c.shift);
    });
  }
  [[nodiscard]] std::optional<double> log_q_interval(double a, double b) const override {
    return a < b ? log_normal_mass(a, b) : -infinity;
  }

  std::vector<NormalComponent> components_;
  double largest_shift_ = 0;
};

std::vector<NormalComponent> components_of(const GaussianMixture& mechanism) {
  const auto& [sigma, shifts, weights] = mechanism;
  constexpr const char* name = "gaussian-mixture";
  require_in(ranges::positive, name, "sigma", sigma);
  require(!shifts.empty() && shifts.size() <= 1000, name, "number of shifts", static_cast<double>(shifts.size()),
          "1 to 1000 shifts");
  require(weights.size() == shifts.size(), name, "number of weights", static_cast<double>(weights.size()),
          "one weight a shift");
  CompensatedSum sum;
  for (const double weight : weights) {
    require_in(ranges::mixture_weight, name, "weights", weight);
    sum.add(weight);
  }
  require(std::fabs(sum.value() - 1) <= 1e-12, name, "sum of weights", sum.value(), "a sum of 1 to 1e-12");
  std::vector<NormalComponent> components;
  for (std::size_t i = 0; i < shifts.size(); ++i) {
    const double shift = shifts[i] / sigma;
    require(shifts[i] == 0 || ranges::mixture_shift.holds(shift), name, "shifts", shifts[i],
            ("0, or " + ranges::mixture_shift.text("sigma")).c_str());
    components.push_back({shift, std::log(weights[i] / sum.value())});
  }
  return components;
}

}  // namespace

std::string describe(const GaussianMixture& mechanism) {
  return "gaussian-mixture:sigma=" + number_text(mechanism.sigma) + ",shifts=" + listed(mechanism.shifts) +
         ",weights=" + listed(mechanism.weights);
}

GaussianMixture replacing(const GaussianMixture& mechanism) {
  throw MissingTheorem(
      describe(mechanism), "adjacency", "replace-one",
      "add-remove or zero-out: the record that comes in its place may have other shifts at other times, and no "
      "theorem says which are the worst");
}

PairPtr dominating_pair(const GaussianMixture& mechanism, Direction direction) {
  auto components = components_of(mechanism);
  const bool unmoved =
      std::all_of(components.begin(), components.end(), [](const NormalComponent& c) { return c.shift == 0; });
  if (unmoved) return pair_without_loss();
  const auto remove = std::make_shared<GaussianMixturePair>(std::move(components));
  if (direction == Direction::remove) return remove;
  return std::make_shared<MirroredPair>(remove);
}

}  // namespace pld
