#include "pairs/integer_noise_pair.hpp"

#include <algorithm>
#include <cmath>

#include "core/standard_arithmetic.hpp"
#include "numeric/extended.hpp"
#include "numeric/log_sum.hpp"
#include "pairs/mirrored_pair.hpp"
#include "pairs/whole_sensitivity.hpp"

namespace pld {
namespace {

/// Up to here a loss is the difference of two logarithms of masses.
constexpr double by_difference = 0x1p40;

/// How far from the mode the mass falls below e^-depth, to a quarter.
double reach_of(const LogConcaveIntegerNoise& noise, double mode, double sign, double depth) {
  double step = 1;
  while (noise.log_mass(mode + sign * step) > -depth) step = std::ceil(step * 1.25);
  return step;
}

/// The loss of all outcomes but the `missing` ones, where Q has that mass of them.
double loss_without(const LossCell& missing, double log_q_mass) {
  constexpr double log_largest = 700;  // e^loss is no double far beyond, and e^loss - 1 is e^loss
  const double log_share = missing.log_q_mass - log_q_mass;
  return std::log1p(missing.loss < log_largest ? -std::exp(log_share) * std::expm1(missing.loss)
                                               : -std::exp(log_share + missing.loss));
}

}  // namespace

IntegerNoisePair::IntegerNoisePair(std::shared_ptr<const KnownMasses> masses, double s)
    : masses_(std::move(masses)),
      s_(s),
      mode_(noise().mode()),
      first_(mode_ - reach_of(noise(), mode_, -1, countable_depth)),
      last_(mode_ + s_ + reach_of(noise(), mode_, +1, countable_depth)) {}

double IntegerNoisePair::loss_at(double x) const {
  return static_cast<double>(std::fabs(x) < by_difference ? masses_->at(x - s_) - masses_->at(x) : noise().loss(x, s_));
}

/// The first outcome with a loss above z; +-inf where it lies beyond every double.
double IntegerNoisePair::first_above(double z) const {
  if (z == infinity || z == -infinity) return z;
  return first_outcome(mode_, infinity, [&](double x) { return loss_at(x) - z; });
}

LossCell IntegerNoisePair::at(double x) const {
  return {.loss = loss_at(x),
          .log_mass = static_cast<double>(masses_->at(x - s_)),
          .log_q_mass = static_cast<double>(masses_->at(x))};
}

/// P's masses are Q's, s_ further left: each is asked for once where the two ranges meet.
std::vector<LossCell> IntegerNoisePair::outcomes(double first, double last) const {
  if (!(first < last)) return {};
  if (!(std::max(std::fabs(first), std::fabs(last)) < by_difference)) return WholeOutcomePair::outcomes(first, last);
  const bool meet = first + s_ < last;
  const std::vector<long double> shifted = masses_->between(first - s_, meet ? last : last - s_),
                                 own = meet ? std::vector<long double>{} : masses_->between(first, last);
  std::vector<LossCell> all;
  all.reserve(static_cast<std::size_t>(last - first));
  for (std::size_t i = 0, s = static_cast<std::size_t>(s_); first + static_cast<double>(i) < last; ++i) {
    const long double p = shifted[i], q = meet ? shifted[i + s] : own[i];
    all.push_back(
        {.loss = static_cast<double>(p - q), .log_mass = static_cast<double>(p), .log_q_mass = static_cast<double>(q)});
  }
  return all;
}

double IntegerNoisePair::log_outer_tail(double x, Side side) const {
  return static_cast<double>(masses_->at(x)) + std::log(masses_->scaled_tail(x, side));
}

/// log of the noise's mass at x and to the right (left) of it.
double IntegerNoisePair::log_tail(double x, Side side) const {
  if (side == Side::right ? x > mode_ : x < mode_) return log_outer_tail(x, side);
  return side == Side::right ? std::log1p(-std::exp(log_outer_tail(x - 1, Side::left)))
                             : std::log1p(-std::exp(log_outer_tail(x + 1, Side::right)));
}

/// All outcomes from x outward, where both laws' masses fall.
LossCell IntegerNoisePair::outer_cell(double x, Side side) const {
  const double p_tail = masses_->scaled_tail(x - s_, side), q_tail = masses_->scaled_tail(x, side);
  const LossCell first = at(x);
  return {.loss = first.loss + std::log(p_tail / q_tail),
          .log_mass = first.log_mass + std::log(p_tail),
          .log_q_mass = first.log_q_mass + std::log(q_tail)};
}

/// All outcomes >= x. Left of both modes the loss is that of what is missing: log((1 - P') / (1 - Q')).
LossCell IntegerNoisePair::from(double x) const {
  if (x == infinity) return {};
  if (x == -infinity) return {.loss = 0, .log_mass = 0, .log_q_mass = 0};
  if (x > mode_ + s_) return outer_cell(x, Side::right);
  LossCell cell{.log_mass = log_tail(x - s_, Side::right), .log_q_mass = log_tail(x, Side::right)};
  cell.loss = cell.log_mass - cell.log_q_mass;
  if (x <= mode_) cell.loss = loss_without(outer_cell(x - 1, Side::left), cell.log_q_mass);
  return cell;
}

/// All outcomes <= x.
LossCell IntegerNoisePair::up_to(double x) const {
  if (x == infinity) return {.loss = 0, .log_mass = 0, .log_q_mass = 0};
  if (x == -infinity) return {};
  if (x < mode_) return outer_cell(x, Side::left);
  LossCell cell{.log_mass = log_tail(x - s_, Side::left), .log_q_mass = log_tail(x, Side::left)};
  cell.loss = cell.log_mass - cell.log_q_mass;
  if (x >= mode_ + s_) cell.loss = loss_without(outer_cell(x + 1, Side::right), cell.log_q_mass);
  return cell;
}

std::vector<LossCell> IntegerNoisePair::atoms(LossRange within) const {
  const double begin = first_above(std::nextafter(within.lowest, -infinity)), end = first_above(within.highest);
  std::vector<LossCell> inside = outcomes(std::max(begin, first_), std::min(end, last_));
  const auto take_far = [&](const LossCell& cell, auto place) {
    if (cell.log_mass > -infinity && within.lowest <= cell.loss && cell.loss <= within.highest)
      inside.insert(place, cell);
  };
  if (begin < first_) take_far(up_to(first_ - 1), inside.begin());
  if (end > last_) take_far(from(last_), inside.end());
  return inside;
}

LossCell IntegerNoisePair::above(double z) const { return from(first_above(z)); }

LossCell IntegerNoisePair::below(double z) const {
  const double x = first_above(z);
  return up_to(std::isfinite(x) ? x - 1 : x);
}

// An atom's loss is a difference of two long doubles, each off by 2^-57 + 2^-60 |log mass|, and its rounding. Where
// these are doubles, each is rounded to one besides. A tail's has a quotient of two sums, or of two masses counted from
// 1.
double IntegerNoisePair::loss_error(LossRange within) const {
  double reach = 0, depth = 1;
  const auto include = [&](double end) {
    if (!std::isfinite(end)) return;
    reach = std::max(reach, std::fabs(end));
    double x = first_above(end);
    if (!std::isfinite(x)) x = x > 0 ? last_ : first_;  // all that are listed
    for (const double y : {x, x - s_, x - 1, x - 1 - s_})
      depth = std::max(depth, static_cast<double>(std::fabs(masses_->at(y))));
  };
  include(within.lowest);
  if (within.highest != within.lowest) include(within.highest);
  depth = std::min(depth, 1e12);
  return unit_roundoff * (16 + 4 * reach) + 0x1p-56 + 0x1p-59 * depth + felt_rounding(3 * depth);
}

// Left of x lie the outcomes of the mirror image -X against -X - s, right of s - x.
double IntegerNoisePair::log_tail_moment(double order, double from) const {
  const double x = first_above(from);
  if (!std::isfinite(x)) return x > 0 && order > 1 ? -infinity : infinity;
  return order > 1 ? noise().log_ratio_moment_from(order, x, s_, false)
                   : noise().log_ratio_moment_from(1 - order, s_ - x, s_, true);
}

/// Outcomes of finite loss from `first` to before `last` as one: each eighth of them by its middle.
LossCell IntegerNoisePair::block(double first, double last) const {
  constexpr double page = 16;  // of what is remembered: masses farther apart are told alone
  const double parts = std::min(8.0, last - first);
  const auto mass = [&, apart = last - first > page * parts](double x) {
    return static_cast<double>(apart ? noise().log_mass(x) : masses_->at(x));
  };
  double log_p = -infinity, log_q = -infinity;
  for (double i = 0; i < parts; ++i) {
    const double left = first + std::floor((last - first) * i / parts),
                 right = first + std::floor((last - first) * (i + 1) / parts);
    const double middle = std::floor((left + right - 1) / 2), p = mass(middle - s_), q = mass(middle);
    if (p == -infinity || q == -infinity) continue;
    log_p = log_sum(log_p, p + std::log(right - left));
    log_q = log_sum(log_q, q + std::log(right - left));
  }
  if (log_p == -infinity) return {};
  return {.loss = log_p - log_q, .log_mass = log_p, .log_q_mass = log_q};
}

std::vector<LossCell> IntegerNoisePair::outline() const { return outline_.get(); }

/// Blocks of outcomes about both modes to where e^-760 lies.
std::vector<LossCell> IntegerNoisePair::outlined() const {
  const double left = mode_ - reach_of(noise(), mode_, -1, 760), right = mode_ + reach_of(noise(), mode_, +1, 760);
  std::vector<double> edges;
  constexpr int pieces = 450;
  for (const double centre : {0.0, s_})
    for (int i = 0; i <= pieces; ++i) edges.push_back(std::floor(left + (right - left) * i / pieces) + centre);
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::vector<LossCell> all;
  for (std::size_t i = 1; i < edges.size(); ++i) all.push_back(block(edges[i - 1], edges[i]));
  std::erase_if(all, [](const LossCell& cell) { return cell.log_mass == -infinity; });
  return all;
}

PairPtr integer_noise_pair(std::shared_ptr<const LogConcaveIntegerNoise> noise, double sensitivity,
                           Direction direction) {
  const StandardArithmetic arithmetic;
  require_in(whole_sensitivity, "integer noise", "sensitivity", sensitivity);
  const auto remove = std::make_shared<IntegerNoisePair>(std::make_shared<KnownMasses>(std::move(noise)), sensitivity);
  if (direction == Direction::remove || remove->symmetric()) return remove;
  return std::make_shared<MirroredPair>(remove);
}

}  // namespace pld
