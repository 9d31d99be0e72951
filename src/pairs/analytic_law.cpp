#include "pairs/analytic_law.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "numeric/log_doubt.hpp"
#include "numeric/log_sum.hpp"
#include "numeric/roundings.hpp"
#include "pairs/rounded_total.hpp"
#include "pairs/whole_outcome_pair.hpp"

namespace pld {
namespace {

/// The least of 1, 2, 4, ... beyond which a tail is negligible.
template <class LogTail>
double end_of(const LogTail& log_tail, double log_negligible) {
  constexpr double farthest = 1e6;
  double high = 1e-6;
  while (high < farthest && log_tail(high) > log_negligible) high *= 2;
  double low = high / 2;
  for (int i = 0; i < 8; ++i) {
    const double middle = (low + high) / 2;
    (log_tail(middle) > log_negligible ? low : high) = middle;
  }
  return high;
}

/// Atoms in a window this part of the range as wide are counted before all are asked for.
bool has_few_atoms(const DominatingPair& pair, double lowest, double highest) {
  constexpr double part = 4096;
  constexpr std::size_t most = 6;
  const double half = (highest - lowest) / part / 2, centre = std::clamp(0.0, lowest + half, highest - half);
  return pair.atoms({centre - half, centre + half}).size() <= most;
}

std::optional<AnalyticLaw> atomic_law(const DominatingPair& pair, double log_negligible) {
  LossRange range = pair.range();
  AnalyticLaw law;
  law.log_infinite_p = pair.log_mass_at_plus_infinity();
  law.log_infinite_q = pair.log_q_mass_at_minus_infinity();
  law.sums_to_one = sums_to_one(pair);
  // Where z > 0 P has more than Q, where z < 0 less.
  if (range.highest == infinity) {
    range.highest = end_of([&](double z) { return pair.above(z).log_mass; }, log_negligible);
    law.log_lost = log_sum(law.log_lost, pair.above(range.highest).log_mass);
  }
  if (range.lowest == -infinity) {
    range.lowest = -end_of([&](double z) { return pair.below(-z).log_q_mass; }, log_negligible);
    law.log_lost = log_sum(law.log_lost, pair.below(range.lowest).log_q_mass);
  }
  if (range.lowest < range.highest && !has_few_atoms(pair, range.lowest, range.highest)) return std::nullopt;
  // An error may have to be searched for: of many atoms those next to each other share one.
  std::vector<LossCell> atoms = pair.atoms(range);
  // One that light may be several outcomes, whose losses differ: all from where an outcome has e^-countable_depth on.
  constexpr double log_several = -0.9 * countable_depth;
  std::erase_if(atoms, [&](const LossCell& atom) {
    const double log_most = std::max(atom.log_mass, atom.log_q_mass);
    if (log_most < log_several) law.log_lost = log_sum(law.log_lost, log_most);
    return log_most < log_several;
  });
  constexpr std::size_t errors = 64;
  const std::size_t shared = 1 + atoms.size() / errors;
  for (std::size_t first = 0; first < atoms.size(); first += shared) {
    const auto here = std::span(atoms).subspan(first, std::min(shared, atoms.size() - first));
    const auto [least, most] = std::ranges::minmax(here, {}, &LossCell::loss);
    const double error = pair.loss_error({least.loss, most.loss});
    for (const LossCell& atom : here)
      law.atoms.push_back({atom.loss, atom.log_q_mass, error, mass_error(atom.log_q_mass)});
  }
  return law;
}

/// Outcomes change their sign too, so that the loss goes on growing with them.
class SwappedDensity final : public AnalyticDensity {
 public:
  explicit SwappedDensity(std::shared_ptr<const AnalyticDensity> base)
      : AnalyticDensity(-base->to(), -base->from()), base_(std::move(base)) {}
  [[nodiscard]] LawPoint at(long double x) const override { return swapped_point(base_->at(-x)); }
  [[nodiscard]] double cost() const override { return base_->cost(); }
  [[nodiscard]] std::optional<Box> box(double a, double b, double height) const override {
    const auto base = base_->box(-b, -a, height);
    if (!base) return std::nullopt;
    return Box{base->log_q + base->most_loss, -base->most_loss, -base->least_loss, base->least_turn, base->most_turn};
  }
  static LawPoint swapped_point(const LawPoint& base) {
    return {-base.loss, base.log_q + base.loss, base.loss_error, base.log_q_error + base.loss_error};
  }

 private:
  std::shared_ptr<const AnalyticDensity> base_;
};

class WeightedDensity final : public AnalyticDensity {
 public:
  WeightedDensity(std::shared_ptr<const AnalyticDensity> base, double log_weight)
      : AnalyticDensity(base->from(), base->to()), base_(std::move(base)), log_weight_(log_weight) {}
  [[nodiscard]] LawPoint at(long double x) const override { return weighted_point(base_->at(x), log_weight_); }
  [[nodiscard]] std::optional<Box> box(double a, double b, double height) const override {
    auto box = base_->box(a, b, height);
    if (box) box->log_q += log_weight_;
    return box;
  }
  static LawPoint weighted_point(LawPoint point, double log_weight) {
    point.log_q += log_weight;  // a logarithm of a double within u, and the sum's rounding
    point.log_q_error += roundings(4, log_weight);
    return point;
  }

 private:
  std::shared_ptr<const AnalyticDensity> base_;
  double log_weight_;
};

class PartOfDensity final : public AnalyticDensity {
 public:
  PartOfDensity(std::shared_ptr<const AnalyticDensity> base, double from, double to)
      : AnalyticDensity(from, to), base_(std::move(base)) {}
  [[nodiscard]] LawPoint at(long double x) const override { return base_->at(x); }
  [[nodiscard]] std::optional<Box> box(double a, double b, double height) const override {
    return base_->box(a, b, height);
  }

 private:
  std::shared_ptr<const AnalyticDensity> base_;
};

}  // namespace

std::shared_ptr<const AnalyticDensity> part_of(std::shared_ptr<const AnalyticDensity> density, double from, double to) {
  return std::make_shared<PartOfDensity>(std::move(density), from, to);
}

AnalyticLaw weighted(AnalyticLaw law, double log_weight) {
  for (LawPoint& atom : law.atoms) atom = WeightedDensity::weighted_point(atom, log_weight);
  for (auto& density : law.densities) density = std::make_shared<WeightedDensity>(density, log_weight);
  for (double* log_mass : {&law.log_infinite_p, &law.log_infinite_q, &law.log_lost}) *log_mass += log_weight;
  return law;
}

AnalyticLaw swapped(AnalyticLaw law) {
  for (LawPoint& atom : law.atoms) atom = SwappedDensity::swapped_point(atom);
  for (auto& density : law.densities) density = std::make_shared<SwappedDensity>(density);
  std::swap(law.log_infinite_p, law.log_infinite_q);
  return law;
}

bool has_analytic_law(const DominatingPair& pair) {
  if (const auto* analytic = dynamic_cast<const AnalyticPair*>(&pair)) return analytic->analytic();
  return !pair.has_density();
}

std::optional<AnalyticLaw> analytic_law(const DominatingPair& pair, double log_negligible) {
  if (const auto* analytic = dynamic_cast<const AnalyticPair*>(&pair)) return analytic->analytic_law(log_negligible);
  return atomic_law(pair, log_negligible);
}

}  // namespace pld
