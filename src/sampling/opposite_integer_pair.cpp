#include "sampling/opposite_integer_pair.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "pairs/countable.hpp"
#include "pairs/mirrored.hpp"

namespace pld {

OppositeIntegerPair::OppositeIntegerPair(std::shared_ptr<const WholeOutcomePair> moved, double q, double twice_slope)
    : moved_(std::move(moved)),
      sample_(moved_, q, twice_slope),
      end_(moved_->flat_from()),
      deep_(first_below(-countable_depth)) {
  if (std::isfinite(end_)) range_ = {at(-end_).loss, at(end_).loss};
}

/// The first outcome with a loss above z, from -end to end; -+inf where all are, or none is.
double OppositeIntegerPair::first_above(double z) const {
  if (z >= range_.highest) return infinity;
  if (z < range_.lowest) return -infinity;
  return first_outcome(0, end_, [&](double x) { return at(x).loss - z; });
}

double OppositeIntegerPair::first_below(double log_mass) const {
  return first_light(
      end_, log_mass, [this](double x) { return at(x); }, [this](double x) { return from(x); });
}

/// All outcomes >= x.
LossCell OppositeIntegerPair::from(double x) const {
  if (x == infinity) return {};
  if (x == -infinity) return {.loss = 0, .log_mass = 0, .log_q_mass = 0};
  return sample_.cell(moved_->from(x), moved_->up_to(-x));
}

LossCell OppositeIntegerPair::below(double z) const {
  const double x = first_above(z);
  return mirrored(from(std::isfinite(x) ? 1 - x : -x));
}

void OppositeIntegerPair::cells(std::span<const double> edges, std::vector<LossCell>& out) const {
  const auto between = [this](double first, double last) {
    return sample_.cell(moved_->between(first, last), moved_->between(1 - last, 1 - first));
  };
  append_outcome_cells(
      edges, [this](double z) { return first_above(z); }, between, out);
}

std::vector<LossCell> OppositeIntegerPair::atoms(LossRange within) const {
  if (has_density()) return {};
  const double begin = first_above(std::nextafter(within.lowest, -infinity)), end = first_above(within.highest);
  const double edge = std::min(end_, deep_), first = std::max(begin, 1 - edge), last = std::min(end, edge);
  take_points_of_atoms(last - first);
  std::vector<LossCell> all;
  const auto take = [&](const LossCell& tail) {
    if (within.lowest <= tail.loss && tail.loss <= within.highest) all.push_back(tail);
  };
  if (begin <= -edge) take(mirrored(from(edge)));
  const std::vector<LossCell> right = moved_->outcomes(first, last), left = moved_->outcomes(1 - last, 1 - first);
  for (std::size_t i = 0, n = right.size(); i < n; ++i) all.push_back(sample_.cell(right[i], left[n - 1 - i]));
  if (end > edge) take(from(edge));
  return all;
}

double OppositeIntegerPair::loss_error(LossRange within) const {
  const double first = first_above(std::nextafter(within.lowest, -infinity)), last = first_above(within.highest) - 1;
  const double low = std::clamp(std::min(first, last), -end_, end_),
               high = std::clamp(std::max(first, last), -end_, end_);
  const auto loss_at = [this](double x) {
    if (std::isfinite(x)) return moved_->at(x).loss;
    return x > 0 ? moved_->range().highest : moved_->range().lowest;
  };
  const auto moved = [&](double a, double b) {
    return sample_.moved({loss_at(a), loss_at(b)}, std::isfinite(a) ? moved_->up_to(a) : LossCell{},
                         std::isfinite(b) ? moved_->from(b) : LossCell{});
  };
  return sample_.loss_error(within, moved(low, high), moved(-high, -low));
}

/// Three atoms have one: -L, 0 and L.
std::optional<double> OppositeIntegerPair::spacing() const {
  return end_ == 1 ? std::optional(range_.highest) : std::nullopt;
}

/// Blocks of outcomes to where e^-760 lies, each by its middle.
std::vector<LossCell> OppositeIntegerPair::outline() const {
  constexpr double most = 900;
  const double reach = std::min(first_below(-760), end_);
  std::vector<LossCell> all{mirrored(from(reach))};
  const double width = std::ceil(2 * reach / most);
  for (double first = 1 - reach; first < reach; first += width) {
    const double count = std::min(width, reach - first);
    LossCell block = at(first + std::floor(count / 2));
    block.log_mass += std::log(count), block.log_q_mass += std::log(count);
    if (block.log_mass > -infinity) all.push_back(block);
  }
  all.push_back(from(reach));
  return all;
}

double OppositeIntegerPair::log_tail_moment(double order, double from) const {
  if (order < 0) return log_tail_moment(1 - order, -from);
  const double x = first_above(from);
  if (!std::isfinite(x)) return x > 0 ? -infinity : infinity;
  return sample_.log_tail_moment(order, sampled_loss(x - 1));
}

}  // namespace pld
