#include "calibrate/first_guess.hpp"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "account/steps.hpp"
#include "calibrate/miss.hpp"
#include "lattice/cumulant.hpp"
#include "numeric/log_sum.hpp"

namespace pld {
namespace {

/// mu of the Gaussian pair that has the release's chance of telling P from Q by the sign of the loss.
double mu_of_sign_test(const DominatingPair& pair) {
  const LossCell above = pair.above(0), below = pair.below(0);
  const double error = std::exp(below.log_mass) + std::exp(above.log_q_mass);
  const double variation =
      std::exp(above.log_mass) + std::exp(pair.log_mass_at_plus_infinity()) - std::exp(above.log_q_mass);
  return variation < 0.5 ? 2 * std::numbers::sqrt2 * boost::math::erf_inv(std::max(variation, 0.0))
                         : 2 * std::numbers::sqrt2 * boost::math::erfc_inv(std::clamp(error, 1e-300, 1.0));
}

/// The total of what the releases tell about every target alike.
struct Totals {
  double squared_mu = 0, log_finite = 0, largest_loss = 0;

  Totals(const Composition& composition, Direction direction) {
    for (const Release& release : composition.releases()) {
      const DominatingPair& pair = *release.mechanism.pair(direction);
      const auto count = static_cast<double>(release.count);
      const double mu = mu_of_sign_test(pair);
      squared_mu += count * mu * mu;
      log_finite += count * std::log1p(-std::exp(pair.log_mass_at_plus_infinity()));
      largest_loss += count * pair.range().highest;
    }
  }
  [[nodiscard]] double log_infinite() const { return std::log(-std::expm1(log_finite)); }
};

/// log of the probability that some release alone has its part of delta: rare large losses, which a Gaussian has not.
double log_single_hit(const Composition& composition, double epsilon) {
  double log_none = 0;
  for (const Release& release : composition.releases()) {
    const LossCell above = release.mechanism.pair(Direction::remove)->above(epsilon);
    const double one = std::exp(above.log_mass) - std::exp(epsilon + above.log_q_mass);
    log_none += static_cast<double>(release.count) * std::log1p(-std::clamp(one, 0.0, 1.0));
  }
  return std::log(-std::expm1(log_none));
}

/// log delta by the saddle point, found by Newton steps on the tilt from `tilt`, which is left there (0: no idea yet).
/// Steps that leave the interval known to hold it halve that on the log scale: K'' may change by e^100 in between.
double saddle_log_delta(const std::vector<CountedCumulant>& parts, double epsilon, double highest_tilt, double& tilt) {
  constexpr int most_steps = 60;
  constexpr double lowest_tilt = 1e-9, longest = 16;
  double t = std::min(tilt > 0 ? tilt : 1.0, highest_tilt), low = lowest_tilt, high = highest_tilt;
  CumulantValue k = sum_at(parts, t);
  const auto curvature = [&] { return k.variance + 1 / (t * t) + 1 / ((1 + t) * (1 + t)); };
  for (int step = 0; step < most_steps; ++step) {
    const double slope = k.mean - epsilon - 1 / t - 1 / (1 + t);
    (slope < 0 ? low : high) = t;
    double next = t - slope / curvature();
    if (!(next > low && next < high)) next = std::sqrt(low * high);
    next = std::clamp(next, t / longest, t * longest);
    const bool close = std::fabs(next - t) < 1e-3 * t;
    t = next;
    k = sum_at(parts, t);
    if (close) break;
  }
  tilt = t;
  return k.value - t * epsilon - std::log(t) - std::log1p(t) - std::log(2 * std::numbers::pi * curvature()) / 2;
}

/// The outline without the largest losses, of which all releases together have less than `mass`: their hump in K,
/// however rare they are, would draw the tilt to it.
Cumulant without_rare_losses(const std::vector<LossCell>& outline, double highest, double mass) {
  double beyond = 0;
  std::size_t kept = outline.size();
  while (kept > 1 && beyond + std::exp(outline[kept - 1].log_mass) < mass) beyond += std::exp(outline[--kept].log_mass);
  return {outline, std::min(highest, outline[kept - 1].loss)};
}

}  // namespace

std::vector<Target> targets_like(const std::vector<Goal>& goals) {
  std::vector<Target> targets;
  for (const Goal& goal : goals) {
    if (const auto* target = std::get_if<Target>(&goal)) targets.push_back(*target);
    if (const auto* advantage = std::get_if<Advantage>(&goal)) targets.push_back({0, advantage->limit});
    if (const auto* power = std::get_if<TestPower>(&goal)) {
      const double quantile = normal_quantile(1 - power->fpr);
      const double mu = std::max(quantile - normal_quantile(1 - std::min(power->tpr, 1 - 1e-15)), 1e-9);
      const double epsilon = mu * (quantile - mu / 2);
      targets.push_back({epsilon, std::exp(gaussian_log_delta(mu, epsilon))});
    }
  }
  return targets;
}

Guessed one_step_of(const Composition& composition, const std::vector<Target>& targets) {
  const std::vector<Way> ways = ways_of(composition);
  if (ways.empty()) return {composition, targets};
  const Way& way = ways.back();
  const int steps = way.length();
  std::vector<Target> shares;
  for (const Target& target : targets) {
    const double epsilon = target.epsilon / steps;
    double weight = 0;
    for (int i = 0; i < steps; ++i) weight += std::exp(i * epsilon);
    shares.push_back({epsilon, target.delta / weight});
  }
  return {way.step, shares};
}

QuickMiss miss_as_gaussian(const Composition& composition, const std::vector<Target>& targets) {
  const Totals totals(composition, Direction::remove);
  const double mu = std::sqrt(totals.squared_mu);
  QuickMiss largest;
  for (const Target& target : targets) {
    // Those within the spread of the sum are no rare ones.
    const double log_hit = log_single_hit(composition, std::max(target.epsilon, mu));
    const double log_rare = log_sum(log_hit, totals.log_infinite());
    double log_rest = mu >= 1e6 ? 0 : -infinity;
    if (target.epsilon < totals.largest_loss && mu > 0 && mu < 1e6) log_rest = gaussian_log_delta(mu, target.epsilon);
    const double here = miss(target.epsilon, std::min(0.0, log_sum(log_rare, log_rest)), std::log(target.delta));
    if (here > largest.miss) largest = {here, log_rare > log_rest};
  }
  return largest;
}

SaddleGuess::SaddleGuess(std::vector<Target> targets) : targets_(std::move(targets)), tilts_(targets_.size(), 0.0) {
  for (const Target& target : targets_) least_delta_ = std::min(least_delta_, target.delta);
}

double SaddleGuess::miss(const Composition& composition, Direction direction) {
  const Totals totals(composition, direction);
  std::vector<Cumulant> cumulants;
  cumulants.reserve(composition.releases().size());
  std::vector<CountedCumulant> parts;
  double highest_tilt = 1e14;
  for (const Release& release : composition.releases()) {
    const DominatingPair& pair = *release.mechanism.pair(direction);
    if (const auto spacing = pair.spacing()) highest_tilt = std::min(highest_tilt, 40 / *spacing);
    const auto outline = pair.outline();
    if (outline.empty()) continue;
    constexpr double negligible = 1e-2;
    cumulants.push_back(without_rare_losses(outline, pair.range().highest,
                                            negligible * least_delta_ / static_cast<double>(release.count)));
    parts.push_back({&cumulants.back(), release.count});
  }
  double largest = -infinity;
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    double log_delta = totals.log_infinite();
    if (!parts.empty() && targets_[i].epsilon < totals.largest_loss) {
      const double log_part = saddle_log_delta(parts, targets_[i].epsilon, highest_tilt, tilts_[i]);
      log_delta = std::min(0.0, log_sum(log_delta, log_part));
    }
    largest = std::max(largest, pld::miss(targets_[i].epsilon, log_delta, std::log(targets_[i].delta)));
  }
  return largest;
}

}  // namespace pld
