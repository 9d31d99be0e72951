#include "pairs/bounded_range_pair.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "numeric/roundings.hpp"
#include "pairs/concentrated_slope.hpp"
#include "pairs/end_refined_edges.hpp"
#include "pairs/exponential_density.hpp"
#include "pld/core/doubles_around.hpp"

namespace pld {
namespace {

double divergence_of_range(double epsilon, double order) {
  const double b = order - 1;
  const double log_growth = epsilon + std::log(-std::expm1(-epsilon));
  const double t = epsilon - std::log1p(1 / b) + std::log(std::expm1(-order * epsilon) / std::expm1(-b * epsilon));
  // log c - log a, both near 0 for an order near 1.
  const double rest = std::log1p(-std::expm1(-b * epsilon) * std::exp(-log_growth)) - std::log1p(b);
  // Rounds t's terms, none above epsilon, log(1 + b) / b <= 1 and the quotient by some u each.
  return t + rest / b + roundings(16, 3, epsilon, log_growth, rest / b);
}

}  // namespace

AnalyticLaw law_of_range(double epsilon) {
  const long double log_factor =
      -0.5L * epsilon - std::numbers::ln2_v<long double> - std::log(-std::expm1(-static_cast<long double>(epsilon)));
  return {.densities = {std::make_shared<ExponentialDensity>(-epsilon, epsilon, log_factor)}};
}

BoundedRangePair::BoundedRangePair(double rate, double times)
    : rate_(rate), times_(times), epsilon_(times * rate), log_total_(std::log(-std::expm1(-epsilon_))) {
  const double above = doubles_around_product(rate, times).above;  // a longer range has larger divergences
  const double slope = slope_of_range(above);
  curve_ = {.at =
                [above, slope](double order) {
                  return std::min({above, round_up(slope * order), divergence_of_range(above, order)});
                },
            .slope = slope};
}

LossCell BoundedRangePair::cell(double left, double right) const {
  return exponential_cell(left, right, epsilon_, log_total_);
}

void BoundedRangePair::cells(std::span<const double> edges, std::vector<LossCell>& out) const {
  for (std::size_t i = 1; i < edges.size(); ++i) out.push_back(cell(edges[i - 1], edges[i]));
}

// No atom lies at either end, so that deltas small enough are all of the losses next to it, however near: cells halve
// there.
std::vector<LossCell> BoundedRangePair::outline() const {
  constexpr int halvings = 40;
  const std::vector<double> equal = end_refined_edges(-epsilon_, epsilon_, 80);
  const double step = equal[1] - equal[0];
  std::vector<double> edges{-epsilon_};
  for (int i = halvings; i > 0; --i) edges.push_back(-epsilon_ + std::ldexp(step, -i));
  edges.insert(edges.end(), equal.begin() + 1, equal.end() - 1);
  for (int i = 1; i <= halvings; ++i) edges.push_back(epsilon_ - std::ldexp(step, -i));
  edges.push_back(epsilon_);
  std::vector<LossCell> all;
  cells(edges, all);
  return all;
}

}  // namespace pld
