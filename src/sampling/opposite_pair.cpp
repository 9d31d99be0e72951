#include "sampling/opposite_pair.hpp"

#include <cmath>
#include <utility>

#include "pairs/location_family.hpp"

namespace pld {

OppositePair::OppositePair(const LocationFamily& family, double q, double renyi_slope)
    : moved_(std::make_shared<AdditiveNoisePair>(family.noise, family.shift)), sample_(moved_, q, renyi_slope) {
  const auto& [noise, s] = family;
  Line line;
  line.rising_to = s + noise->exponential_from();
  line.rising_from = -line.rising_to;
  line.step = 0.25 * std::exp(-noise->log_density(0));
  line.outline = outline_about(*noise, line.step, {-s, 0, s});
  const auto [lowest, highest] = sample_.range();
  place(std::move(line), {lowest - highest, highest - lowest});
}

double OppositePair::loss_error(LossRange within) const {
  const double low = unsaturated_outcome_at(within.lowest), high = unsaturated_outcome_at(within.highest);
  return sample_.loss_error(within, {sampled_loss(low), sampled_loss(high)}, {sampled_loss(-high), sampled_loss(-low)});
}

double OppositePair::log_tail_moment(double order, double from) const {
  if (order < 0) return log_tail_moment(1 - order, -from);
  const double x = outcome_at(from);
  if (x == infinity) return -infinity;
  return sample_.log_tail_moment(order, sampled_loss(x - 1e-9 * (1 + std::fabs(x))));
}

}  // namespace pld
