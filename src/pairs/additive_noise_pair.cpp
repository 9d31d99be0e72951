#include "pairs/additive_noise_pair.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/standard_arithmetic.hpp"
#include "pairs/location_family.hpp"
#include "pairs/normal_noise.hpp"
#include "pairs/two_atom_pair.hpp"
#include "pld/core/errors.hpp"

namespace pld {

AdditiveNoisePair::AdditiveNoisePair(std::shared_ptr<const SymmetricLogConcaveNoise> noise, double s)
    : noise_(std::move(noise)), s_(s) {
  Line line;
  line.from = s_ - noise_->largest();
  line.to = noise_->largest();
  line.rising_from = std::max(line.from, -noise_->exponential_from());
  line.rising_to = std::min(line.to, s_ + noise_->exponential_from());
  line.centre = s_ / 2;
  line.step = 0.25 * std::exp(-noise_->log_density(0));
  const std::vector<double> kinks = noise_->kinks();
  line.turns = turns_about(kinks, {0, s_});
  line.analytic_at_turns = kinks.empty();
  line.power_at_turns = noise_->power_at_kinks();
  line.outline = [this, step = line.step] { return outline_about(*noise_, step, {0, s_}); };
  const double highest = std::isfinite(line.rising_to) ? noise_->loss(line.rising_to, s_) : noise_->highest_loss(s_);
  place(std::move(line), {-highest, highest});
}

double AdditiveNoisePair::log_mass_at_plus_infinity() const {
  return noise_->largest() == infinity ? -infinity : log_tail_of_moved(*noise_, noise_->largest(), s_);
}

double AdditiveNoisePair::loss_at(double x) const { return location_loss(*noise_, x, s_); }

double AdditiveNoisePair::loss_error_at(double x) const { return noise_->loss_error(std::max(x, s_ - x), s_); }

std::optional<double> AdditiveNoisePair::log_q_interval(double a, double b) const {
  return a < b ? log_interval_of_moved(*noise_, a, b, 0) : -infinity;
}

std::optional<double> AdditiveNoisePair::log_p_interval(double a, double b) const {
  return log_interval_of_moved(*noise_, a, b, s_);
}

double AdditiveNoisePair::log_tail_moment(double order, double from) const {
  if (std::isfinite(range().highest)) return DominatingPair::log_tail_moment(order, from);
  if (order < 0) return log_tail_moment(1 - order, -from);
  const double at = outcome_at(from), x = at - 1e-9 * (1 + std::fabs(at));
  const double log_moment = x > s_ ? noise_->log_ratio_moment_beyond(order, x, s_) : infinity;
  return std::isnan(log_moment) ? infinity : log_moment;  // of infinite terms of either sign
}

std::optional<AnalyticLaw> AdditiveNoisePair::analytic_law(double log_negligible) const {
  AnalyticLaw law = analytic_noise()->law_of_shift(s_, log_negligible);
  law.log_infinite_p = law.log_infinite_q = log_mass_at_plus_infinity();
  return law;
}

PairPtr additive_noise_pair(std::shared_ptr<const SymmetricLogConcaveNoise> noise, double sensitivity) {
  const StandardArithmetic arithmetic;
  require(sensitivity > 0 && std::isfinite(sensitivity), "additive noise", "sensitivity", sensitivity,
          "sensitivity > 0 and finite");
  if (sensitivity >= 2 * noise->largest())
    return std::make_shared<TwoAtomPair>(0, 0, -infinity, 0);  // disjoint supports
  return std::make_shared<AdditiveNoisePair>(std::move(noise), sensitivity);
}

double AdditiveNoisePair::least_renyi(double order) const {
  return is_normal(*noise_) ? round_down(order * s_ * s_ / 2, 8) : 0;
}

}  // namespace pld
