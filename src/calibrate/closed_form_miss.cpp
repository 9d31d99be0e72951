#include "calibrate/closed_form_miss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "account/directed_run.hpp"
#include "calibrate/miss.hpp"
#include "engines/closed_form/closed_form.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// log delta(epsilon) of the finite losses.
double log_finite_delta(const LossCell& tail, double epsilon) {
  return tail.loss > epsilon ? tail.log_mass + log_one_minus_exp(epsilon - tail.loss) : -infinity;
}

/// The epsilon of a log delta, from the power of the distance to the largest loss that delta grows with at `near`.
double epsilon_by_power_law(const DominatingPair& pair, double highest, double near, double log_delta) {
  const LossCell tail = pair.above(near);
  const double gap = highest - near, log_here = log_finite_delta(tail, near);
  const double power = gap * std::exp(near + tail.log_q_mass - log_here);
  return highest - gap * std::exp((log_delta - log_here) / power);
}

/// log of the quotient of the epsilon that has the target's delta, of finite losses alone, to the target's.
double edge_miss(const DominatingPair& pair, double highest, const Target& target, double infinite) {
  constexpr double aside = 1e-2, least = 1e-2;
  const double near = std::min(target.epsilon, (1 - aside) * highest);
  const double found = epsilon_by_power_law(pair, highest, near, std::log(target.delta - infinite));
  return std::log(std::max(std::isnan(found) ? highest : found, least * target.epsilon) / target.epsilon);
}

/// log delta of the infinite losses, where there are none but those above epsilon, else NaN.
double log_infinite_delta(const Terms& terms, double epsilon) {
  double highest = 0, log_finite = 0;
  for (const Term& t : terms) {
    highest += static_cast<double>(t.count) * t.pair->range().highest;
    log_finite += static_cast<double>(t.count) * std::log1p(-std::exp(t.pair->log_mass_at_plus_infinity()));
  }
  return highest < epsilon ? log_one_minus_exp(log_finite) : std::numeric_limits<double>::quiet_NaN();
}

/// Whether more than next to nothing has about the largest loss.
bool has_top_atom(const DominatingPair& pair, double highest) {
  return pair.above(highest * (1 - 1e-9)).log_mass > std::log(1e-6);
}

/// log of the quotient of the largest losses of Laplace noise with these deltas. Below epsilon, delta does not tell of
/// losses.
double laplace_miss(double highest, double delta, const Target& target, double infinite) {
  const auto loss = [&](double d) { return target.epsilon - 2 * std::log1p(-d); };
  return std::log((highest > target.epsilon ? loss(delta) : highest) / loss(target.delta - infinite));
}

}  // namespace

double ClosedFormMiss::of(const Target& target, const DominatingPair& pair) const {
  const double highest = pair.range().highest, log_infinite = pair.log_mass_at_plus_infinity();
  const double log_finite = log_finite_delta(pair.above(target.epsilon), target.epsilon);
  const double log_delta = log_sum(log_finite, log_infinite);
  const double infinite = std::exp(log_infinite), log_limit = std::log(target.delta);
  const auto like_gaussian = [&] { return miss(target.epsilon, log_delta, log_limit); };
  const bool edge = edge_moves_ && target.epsilon > 0 && highest < infinity && infinite <= target.delta;
  if (!edge) return like_gaussian();
  constexpr double beside = 0.1;  // of epsilon: a delta this large is reached far from the largest loss
  const bool like_laplace = has_top_atom(pair, highest) || target.delta - infinite > beside * target.epsilon;
  const double by = like_laplace && target.delta < 1 ? laplace_miss(highest, std::exp(log_finite), target, infinite)
                                                     : edge_miss(pair, highest, target, infinite);
  // Infinite losses alone may be what the unknown changes.
  return with_sign(infinite > 0 && highest <= target.epsilon ? std::max(by, like_gaussian()) : by,
                   log_delta > log_limit);
}

double ClosedFormMiss::beyond_finite_losses(const Terms& terms) const {
  double largest = -infinity;
  for (const Target& target : targets_) {
    const double log_delta = log_infinite_delta(terms, target.epsilon);
    if (std::isnan(log_delta)) return log_delta;
    largest = std::max(largest, miss(target.epsilon, log_delta, std::log(target.delta)));
  }
  return largest;
}

double ClosedFormMiss::at(const Composition& composition) {
  double largest = -infinity;
  bool first = true;
  for (const Direction direction : directions(composition, direction_)) {
    const Terms joined = join_gaussians(terms_in(composition, direction));
    if (!is_single_release(joined)) return beyond_finite_losses(joined);
    const DominatingPair& pair = *joined.front().pair;
    if (std::exchange(first, false)) {
      const double highest = pair.range().highest;
      edge_moves_ = edge_moves_ && highest != last_highest_;
      last_highest_ = highest;
    }
    for (const Target& target : targets_) largest = std::max(largest, of(target, pair));
  }
  return largest;
}

}  // namespace pld
