#include "pairs/discrete_laplace_pair.hpp"

#include <algorithm>
#include <cmath>

#include "core/number_text.hpp"
#include "pairs/end_refined_edges.hpp"
#include "pairs/mirrored.hpp"

namespace pld {

DiscreteLaplacePair::DiscreteLaplacePair(double a, double sensitivity)
    : a_(a), sensitivity_(sensitivity), log_end_mass_(-std::log1p(std::exp(-a))) {}

/// The first of 0, ..., s with a loss above z, s + 1 where there is none.
double DiscreteLaplacePair::first_above(double z) const {
  double x = std::clamp(std::floor(0.5 * (z / a_ + sensitivity_)), 0.0, sensitivity_ + 1);
  while (x > 0 && loss(x - 1) > z) --x;
  while (x <= sensitivity_ && loss(x) <= z) ++x;
  return x;
}

/// x = first, ..., last, all of 1, ..., s - 1: geometric sums, whose barycentre is the middle.
LossCell DiscreteLaplacePair::inner_block(double first, double last) const {
  const double log_sum = log_end_mass_ + std::log(-std::expm1(-a_ * (last - first + 1)));
  return {.loss = a_ * (first + last - sensitivity_),
          .log_mass = log_sum - a_ * (sensitivity_ - last),
          .log_q_mass = log_sum - a_ * first};
}

LossCell DiscreteLaplacePair::atom(double x) const {
  if (x == 0) return mirrored(from(sensitivity_));
  return x == sensitivity_ ? from(x) : inner_block(x, x);
}

LossCell DiscreteLaplacePair::at(double x) const {
  const double log_one = log_end_mass_ + std::log(-std::expm1(-a_));
  return {.loss = loss(std::clamp(x, 0.0, sensitivity_)),
          .log_mass = log_one - a_ * std::fabs(x - sensitivity_),
          .log_q_mass = log_one - a_ * std::fabs(x)};
}

/// log Q(outcome >= x).
double DiscreteLaplacePair::log_tail(double x) const {
  return x >= 1 ? log_end_mass_ - a_ * x : std::log1p(-std::exp(log_end_mass_ - a_ * (1 - x)));
}

LossCell DiscreteLaplacePair::up_to(double x) const { return mirrored(from(sensitivity_ - x)); }

/// All outcomes >= x. Where 1 <= x <= s, Q = rho^x / (1 + rho), P = (1 + rho - rho^{s-x+1}) / (1 + rho); left of it
/// both lack what lies below x, Q the e^{a s}-fold of what P lacks.
LossCell DiscreteLaplacePair::from(double x) const {
  if (x > sensitivity_ || x < 1) {
    LossCell cell{.log_mass = log_tail(x - sensitivity_), .log_q_mass = log_tail(x)};
    const double log_q_below = log_end_mass_ - a_ * (1 - x);
    cell.loss = x > sensitivity_
                    ? loss(sensitivity_)
                    : std::log1p(-std::exp(log_q_below - cell.log_q_mass) * std::expm1(-a_ * sensitivity_));
    return cell;
  }
  const double log_growth = std::log1p(-std::exp(-a_) * std::expm1(-a_ * (sensitivity_ - x)));
  return {.loss = a_ * x + log_growth, .log_mass = log_end_mass_ + log_growth, .log_q_mass = log_end_mass_ - a_ * x};
}

std::vector<LossCell> DiscreteLaplacePair::atoms(LossRange within) const {
  std::vector<LossCell> inside;
  const double end = first_above(within.highest);
  for (double x = first_above(std::nextafter(within.lowest, -infinity)); x < end; ++x) inside.push_back(atom(x));
  return inside;
}

LossCell DiscreteLaplacePair::above(double z) const {
  const double x = first_above(z);
  if (x == 0) return {.loss = 0, .log_mass = 0, .log_q_mass = 0};
  return x <= sensitivity_ ? from(x) : LossCell{};
}

LossCell DiscreteLaplacePair::below(double z) const {
  const double x = first_above(z);
  if (x == 0) return {};
  return x <= sensitivity_ ? mirrored(from(sensitivity_ - x + 1)) : LossCell{.loss = 0, .log_mass = 0, .log_q_mass = 0};
}

double DiscreteLaplacePair::loss_error(LossRange within) const {
  const double reach = std::max(std::fabs(within.lowest), std::fabs(within.highest));
  return 4 * unit_roundoff * std::min(reach, a_ * sensitivity_);
}

std::optional<OrderedLaw> DiscreteLaplacePair::ordered() const {
  return OrderedLaw{"discrete laplace, sensitivity " + number_text(sensitivity_),
                    {a_},
                    [sensitivity = sensitivity_](const std::vector<double>& sizes) {
                      return std::make_shared<DiscreteLaplacePair>(sizes[0], sensitivity);
                    }};
}

std::vector<LossCell> DiscreteLaplacePair::outline() const {
  constexpr double few = 800;
  if (sensitivity_ <= few) return atoms({});
  std::vector<LossCell> all{atom(0)};
  double first = 1;
  for (const double edge : end_refined_edges(0, sensitivity_ - 1, 40 / a_)) {
    const double last = std::floor(edge);
    if (last < first) continue;
    all.push_back(inner_block(first, last));
    first = last + 1;
  }
  all.push_back(atom(sensitivity_));
  return all;
}

}  // namespace pld
