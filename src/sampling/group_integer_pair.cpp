#include "sampling/group_integer_pair.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/work.hpp"
#include "numeric/well_above.hpp"
#include "pairs/countable.hpp"

namespace pld {
namespace {

/// What a cell of one of the pairs takes, in a question's points.
constexpr double points_a_cell = 10;

LossCell against(const LossCell& p, const LossCell& q) {
  if (p.log_mass == -infinity || q.log_mass == -infinity) return {};
  return {.loss = p.loss - q.loss, .log_mass = p.log_mass, .log_q_mass = q.log_mass};
}

}  // namespace

GroupIntegerPair::GroupIntegerPair(std::vector<std::shared_ptr<const WholeOutcomePair>> moved, double q, bool replaced,
                                   double unsampled_slope)
    : GroupLaw(std::move(moved), q, replaced, unsampled_slope), end_(moved_.back()->flat_from()) {
  std::vector<double> lowest, highest;
  for (const auto& pair : moved_) lowest.push_back(pair->range().lowest), highest.push_back(pair->range().highest);
  const double low = mixture_.loss(lowest), high = mixture_.loss(highest);
  range_ = replaced_ ? LossRange{low - high, high - low} : LossRange{low, high};
  right_ = std::min(end_, reach_of(+1, -countable_depth));
  left_ = -std::min(end_, reach_of(-1, -countable_depth));
  // Where nobody is drawn: the mixture's loss comes within a unit of round-off of its limit, whatever the pairs' do.
  const double none = mixture_.log_weight_of_none() * (1 - 4 * unit_roundoff);
  const auto above_none = [&](double x) {
    return mixed([&](const WholeOutcomePair& pair) { return pair.at(x); }).loss - none;
  };
  saturated_ = std::max(-end_, first_outcome(0, end_, above_none) - 1);
  if (!replaced_) left_ = std::max(left_, saturated_);
}

/// A cell of the mixture from `cell_of(pair)`.
template <class Cell>
LossCell GroupIntegerPair::mixed(const Cell& cell_of) const {
  Work::note(points_a_cell * static_cast<double>(moved_.size()));
  std::vector<LossCell> cells;
  for (const auto& pair : moved_) cells.push_back(cell_of(*pair));
  return mixture_.cell(cells);
}

template <class Sum>
LossCell GroupIntegerPair::Tails::of(double x, const Sum& sum) {
  {
    const std::lock_guard lock(telling_);
    if (const auto known = known_.find(x); known != known_.end()) return known->second;
  }
  const LossCell tail = sum();
  const std::lock_guard lock(telling_);
  if (known_.size() < most) known_.emplace(x, tail);
  return tail;
}

LossCell GroupIntegerPair::at(double x) const {
  const LossCell p = mixed([&](const WholeOutcomePair& pair) { return pair.at(x); });
  return replaced_ ? against(p, mixed([&](const WholeOutcomePair& pair) { return pair.at(-x); })) : p;
}

/// All outcomes >= x.
LossCell GroupIntegerPair::from(double x) const {
  if (x == infinity) return {};
  if (x == -infinity) return {.loss = 0, .log_mass = 0, .log_q_mass = 0};
  return tails_from_.of(x, [&] { return summed_from(x); });
}

LossCell GroupIntegerPair::summed_from(double x) const {
  const LossCell p = mixed([&](const WholeOutcomePair& pair) { return pair.from(x); });
  return replaced_ ? against(p, mixed([&](const WholeOutcomePair& pair) { return pair.up_to(-x); })) : p;
}

/// All outcomes <= x.
LossCell GroupIntegerPair::up_to(double x) const {
  if (x == infinity) return {.loss = 0, .log_mass = 0, .log_q_mass = 0};
  if (x == -infinity) return {};
  return tails_up_to_.of(x, [&] { return summed_up_to(x); });
}

LossCell GroupIntegerPair::summed_up_to(double x) const {
  const LossCell p = mixed([&](const WholeOutcomePair& pair) { return pair.up_to(x); });
  return replaced_ ? against(p, mixed([&](const WholeOutcomePair& pair) { return pair.from(-x); })) : p;
}

/// The first outcome with a loss above z, from -end to end; -+inf where all are, or none is.
double GroupIntegerPair::first_above(double z) const {
  if (z >= range_.highest) return infinity;
  if (z < range_.lowest) return -infinity;
  return first_outcome(0, end_, [&](double x) { return at(x).loss - z; });
}

/// How far out to one side both laws have less than e^log_mass beyond.
double GroupIntegerPair::reach_of(double sign, double log_mass) const {
  return first_light(
      end_, log_mass, [&](double x) { return at(sign * x); }, [&](double x) { return sign > 0 ? from(x) : up_to(-x); });
}

LossCell GroupIntegerPair::below(double z) const {
  const double x = first_above(z);
  return up_to(std::isfinite(x) ? x - 1 : x);
}

void GroupIntegerPair::cells(std::span<const double> edges, std::vector<LossCell>& out) const {
  const auto between = [this](double first, double last) {
    const LossCell p = mixed([&](const WholeOutcomePair& pair) { return pair.between(first, last); });
    return replaced_
               ? against(p, mixed([&](const WholeOutcomePair& pair) { return pair.between(1 - last, 1 - first); }))
               : p;
  };
  append_outcome_cells(
      edges, [this](double z) { return first_above(z); }, between, out);
}

std::vector<LossCell> GroupIntegerPair::atoms(LossRange within) const {
  if (has_density()) return {};
  const double begin = first_above(std::nextafter(within.lowest, -infinity)), end = first_above(within.highest);
  const double first = std::max(begin, left_ + 1), last = std::min(end, right_);
  take_points_of_atoms(last - first);
  Work::take(points_a_cell * static_cast<double>(moved_.size()) * std::max(0.0, last - first) * (replaced_ ? 2 : 1));
  std::vector<LossCell> all;
  const auto take = [&](const LossCell& tail) {
    if (tail.log_mass > -infinity && within.lowest <= tail.loss && tail.loss <= within.highest) all.push_back(tail);
  };
  if (begin <= left_) take(up_to(left_));
  using Outcomes = std::vector<std::vector<LossCell>>;  // of each pair
  Outcomes right, left;
  for (const auto& pair : moved_) {
    right.push_back(pair->outcomes(first, last));
    if (replaced_) left.push_back(pair->outcomes(1 - last, 1 - first));
  }
  const auto mixed_at = [&](const Outcomes& outcomes, std::size_t i) {
    std::vector<LossCell> cells;
    for (const auto& of_pair : outcomes) cells.push_back(of_pair[i]);
    return mixture_.cell(cells);
  };
  for (std::size_t i = 0, n = right.front().size(); i < n; ++i) {
    const LossCell p = mixed_at(right, i);
    all.push_back(replaced_ ? against(p, mixed_at(left, n - 1 - i)) : p);
  }
  if (end > right_) take(from(right_));
  return all;
}

/// Of losses at outcomes from low to high, and of tails', which lie between those and 0.
double GroupIntegerPair::mixed_error(double low, double high) const {
  std::vector<ShiftMixture::Told> pairs;
  for (const auto& pair : moved_) {
    const auto loss_of = [&](double x) {
      if (std::isfinite(x)) return pair->at(x).loss;
      return x > 0 ? pair->range().highest : pair->range().lowest;
    };
    const LossRange losses{std::min(0.0, loss_of(std::max(low, saturated_))), std::max(0.0, loss_of(high))};
    pairs.push_back({losses, pair->loss_error(losses)});
  }
  return mixture_.loss_error(pairs);
}

double GroupIntegerPair::loss_error(LossRange within) const {
  const double first = first_above(std::nextafter(within.lowest, -infinity)), last = first_above(within.highest) - 1;
  const double low = std::clamp(std::min(first, last), -end_, end_),
               high = std::clamp(std::max(first, last), -end_, end_);
  return mixed_error(low, high) + (replaced_ ? mixed_error(-high, -low) : 0);
}

std::vector<LossCell> GroupIntegerPair::outline() const { return outline_.get(); }

/// Blocks of outcomes to where e^-760 lies, each by its middle.
std::vector<LossCell> GroupIntegerPair::outlined() const {
  constexpr double most = 900;
  const double left = std::max(left_, -reach_of(-1, -760)), right = std::min(right_, reach_of(+1, -760));
  std::vector<LossCell> all{up_to(left)};
  const double width = std::ceil((right - left) / most);
  for (double first = left + 1; first < right; first += width) {
    const double count = std::min(width, right - first);
    LossCell block = at(first + std::floor(count / 2));
    block.log_mass += std::log(count), block.log_q_mass += std::log(count);
    all.push_back(block);
  }
  all.push_back(from(right));
  std::erase_if(all, [](const LossCell& cell) { return cell.log_mass == -infinity; });
  return all;
}

// Where the group is replaced Q is at least w_0 X.
double GroupIntegerPair::log_tail_moment(double order, double from) const {
  if (std::isfinite(range().highest) || (order < 0 && !replaced_)) return DominatingPair::log_tail_moment(order, from);
  if (order < 0) return log_tail_moment(1 - order, -from);
  const double x = first_above(from);
  if (!std::isfinite(x)) return x > 0 ? -infinity : infinity;
  std::vector<double> log_moments;
  // A loss just below x's own leaves no outcome out, even where rounding makes those before it the same.
  for (const auto& pair : moved_)
    log_moments.push_back(pair->log_tail_moment(order, std::nextafter(pair->at(x).loss, -infinity)));
  const double moment = mixture_.log_moment(moved_.front()->from(x).log_q_mass, log_moments);
  if (!replaced_ || std::isinf(moment)) return moment;
  const double more = (order - 1) * -mixture_.log_weight_of_none();
  return well_above(moment + more, std::fabs(moment) + more);
}

}  // namespace pld
