#include "sampling/opposite_pair.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "pairs/location_family.hpp"

namespace pld {

OppositePair::OppositePair(const LocationFamily& family, double q, PairPtr replaced)
    : q_(q),
      replaced_(std::move(replaced)),
      moved_(std::make_shared<AdditiveNoisePair>(family.noise, family.shift)),
      sample_(moved_, q, Direction::remove),
      loss_(q) {
  const auto& [noise, s] = family;
  Line line;
  line.rising_to = s + noise->exponential_from();
  line.rising_from = -line.rising_to;
  line.step = 0.25 * std::exp(-noise->log_density(0));
  line.outline = outline_about(*noise, line.step, {-s, 0, s});
  const auto [lowest, highest] = sample_.range();
  place(std::move(line), {lowest - highest, highest - lowest});
}

/// L(z(x)).
double OppositePair::sampled_loss(double x) const { return loss_(moved_->loss_of(x)); }

double OppositePair::loss_at(double x) const { return sampled_loss(x) - sampled_loss(-x); }

LossCell OppositePair::between(double a, double b) const {
  const LossCell p = sample_.sampled(moved_->between(a, b)), q = sample_.sampled(moved_->between(-b, -a));
  if (p.log_mass == -infinity || q.log_mass == -infinity) return {};
  return {.loss = p.loss - q.loss, .log_mass = p.log_mass, .log_q_mass = q.log_mass};
}

double OppositePair::loss_error(LossRange within) const {
  const double low = unsaturated_outcome_at(within.lowest), high = unsaturated_outcome_at(within.highest);
  const LossRange right{sampled_loss(low), sampled_loss(high)}, left{sampled_loss(-high), sampled_loss(-low)};
  double reach = 0;
  for (const LossRange& range : {right, left})
    for (const double end : {range.lowest, range.highest})
      if (std::isfinite(end)) reach = std::max(reach, std::fabs(end));
  return sample_.loss_error(right) + sample_.loss_error(left) + 4 * unit_roundoff * reach;
}

// Q is at least (1-q) X: P^order Q^(1-order) is at most that of the sample, with order - 1 times -log(1-q) more.
double OppositePair::log_tail_moment(double order, double from) const {
  if (order < 0) return log_tail_moment(1 - order, -from);
  const double x = outcome_at(from);
  if (x == infinity) return -infinity;
  const double at = x == -infinity ? -infinity : sampled_loss(x - 1e-9 * (1 + std::fabs(x)));
  const double moment = sample_.log_tail_moment(order, at), more = (order - 1) * -std::log1p(-q_);
  return std::isinf(moment) ? moment : moment + more + 1e-12 * (1 + std::fabs(moment) + more);
}

}  // namespace pld
