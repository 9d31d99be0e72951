#include "lattice/lattice_profile.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "lattice/split_excess.hpp"
#include "numeric/log_bound.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// Sums are kept at one node in so many, and made again from there: a profile takes half the memory.
constexpr std::size_t kept_apart = 8;

}  // namespace

double largest_contribution(double tilt) {
  // At e^-u = tilt / (1 + tilt).
  if (tilt <= 0) return 1;
  return std::exp(-tilt * std::log1p(1 / tilt)) / (1 + tilt) * (1 + 1e-12);
}

double estimate_between(double lower, double upper) {
  if (lower == -infinity || upper == infinity) return lower == -infinity ? upper : lower;
  return lower + 0.45 * (upper - lower);
}

// From the right; every term is positive:
// delta(z_{i-1}) = sum_{j >= i} p_j (1 - e^{z_{i-1} - z_j}), and 1 - e^{-u-h} = (1 - e^-u) + e^-u (1 - e^-h).
LatticeProfile::LatticeProfile(LatticeMeasure measure, Side side)
    : measure_(std::move(measure)),
      side_(side),
      step_{std::exp(-measure_.tilt * measure_.spacing), std::exp(-measure_.spacing), -std::expm1(-measure_.spacing)},
      most_(largest_contribution(measure_.tilt)),
      sums_((measure_.weights.size() + kept_apart - 1) / kept_apart) {
  if (measure_.split_variance > 0) {
    const double noise = measure_.pointwise * static_cast<double>(measure_.weights.size());
    log_all_ = std::log((total_weight(measure_) + measure_.slack + noise) * (1 + 1e-12)) + measure_.log_scale_error +
               measure_.tilt * measure_.position_error;
  }
  Sums beyond;
  for (std::size_t i = measure_.weights.size(); i-- > 0; beyond = below(beyond, i))
    if (i % kept_apart == 0) sums_[i / kept_apart] = beyond;
}

LatticeProfile::Sums LatticeProfile::below(const Sums& sums, std::size_t node) const {
  const double q = sums.q_mass + measure_.weights[node];
  return {step_.drop * (sums.profile + step_.rise * q), step_.drop * step_.q_drop * q};
}

LatticeProfile::Sums LatticeProfile::at(std::size_t node) const {
  const std::size_t next = (node + kept_apart - 1) / kept_apart;
  std::size_t i = next < sums_.size() ? next * kept_apart : measure_.weights.size() - 1;
  Sums sums = next < sums_.size() ? sums_[next] : Sums{};
  for (; i > node; --i) sums = below(sums, i);
  return sums;
}

// From the first node above epsilon, by the recursion's own step: sums of positive terms, at any spacing.
LatticeProfile::Reading LatticeProfile::read(double epsilon) const {
  const auto n = measure_.weights.size();
  if (n == 0) return {};
  const double index =
      std::floor((epsilon - measure_.origin) / measure_.spacing) + 1 - static_cast<double>(measure_.first);
  if (index >= static_cast<double>(n)) return {};
  const auto node = index > 0 ? static_cast<std::size_t>(index) : 0;
  const double u = std::max(0.0, measure_.position(measure_.first + static_cast<std::int64_t>(node)) - epsilon);
  const Sums sums = at(node);
  const double q = sums.q_mass + measure_.weights[node];
  return {sums.profile - q * std::expm1(-u), measure_.tilt * u, n - node};
}

/// Bound on what slack and noise do to the scaled profile when `nodes` nodes lie above epsilon.
double LatticeProfile::error_with(std::size_t nodes) const {
  const double t = measure_.tilt, h = measure_.spacing;
  // Sum of the kernel over lattice points: at most its integral over h plus its maximum (it has one peak).
  double kernel_sum = static_cast<double>(nodes);
  if (t > 0) kernel_sum = std::min(kernel_sum, 1 / (h * t * (1 + t)) + most_);
  return measure_.slack * most_ + (nodes > 0 ? measure_.pointwise * kernel_sum : 0.0);
}

/// All positions may be off by position_error: what is read there is read that far outward.
double LatticeProfile::doubt_at(double epsilon) const {
  return measure_.position_error + 4 * unit_roundoff * (std::fabs(epsilon) + std::fabs(measure_.origin));
}

double LatticeProfile::log_delta(double epsilon) const {
  return measure_.split_variance > 0 ? log_least_of_split(epsilon) : log_bound(epsilon, side_);
}

double LatticeProfile::log_least_of_split(double epsilon) const {
  const SplitExcess excess(measure_.split_variance);
  const double here = log_bound(epsilon, Side::lower);
  if (!excess.bounds() || here == -infinity) return -infinity;
  const LogBound far = LogBound(log_all_, Side::upper)
                           .times(std::log(most_))
                           .times(measure_.log_scale)
                           .times(-measure_.tilt * epsilon)
                           .times(excess.log_far_share(measure_.tilt));
  return excess.log_least(here, log_bound(epsilon - excess.below(), Side::upper),
                          log_bound(epsilon + excess.above(), Side::upper), far.log());
}

double LatticeProfile::log_bound(double epsilon, Side side) const {
  if (measure_.weights.empty() && side == Side::lower) return -infinity;
  const double doubt = doubt_at(epsilon);
  const double at = side == Side::upper ? epsilon - doubt : epsilon + doubt;
  const Reading r = read(at);
  // Each of the recursion's steps rounds by less than 6 u of sums of positive terms.
  const double rounding = 8 * (static_cast<double>(r.nodes) + 8) * unit_roundoff * r.plain;
  const double log_error = std::log(error_with(r.nodes));
  const double log_value = side == Side::upper
                               ? log_sum(std::log(r.plain + rounding) - r.log_drop, log_error)
                               : log_difference(std::log(std::max(r.plain - rounding, 0.0)) - r.log_drop, log_error);
  // Slack without bound, or no number at all, certifies nothing.
  if (!(log_value < infinity)) return side == Side::upper ? infinity : -infinity;
  if (log_value == -infinity) return -infinity;
  const double exponent = measure_.log_scale - measure_.tilt * at, log_value_out = exponent + log_value;
  const double error = measure_.log_scale_error + 4 * unit_roundoff *
                                                      (std::fabs(measure_.log_scale) + std::fabs(measure_.tilt * at) +
                                                       std::fabs(exponent) + r.log_drop + std::fabs(log_value) + 1);
  return side == Side::upper ? log_value_out + error : log_value_out - error;
}

double LatticeProfile::relative_error(double epsilon) const {
  const Reading r = read(epsilon);
  return r.plain > 0 ? error_with(r.nodes) * std::exp(r.log_drop) / r.plain : infinity;
}

}  // namespace pld
