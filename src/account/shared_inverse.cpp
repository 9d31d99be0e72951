#include "account/shared_inverse.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "account/profile_fall.hpp"
#include "core/intersection.hpp"
#include "core/work.hpp"
#include "engines/inverse.hpp"
#include "numeric/log_doubt.hpp"
#include "numeric/roundings.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// How far a profile is above a level as the quotient of the two: of the smaller one of delta and 1 - delta, the latter
/// with its sign changed. It falls with epsilon and is convex in e^epsilon.
class Quotient {
 public:
  explicit Quotient(const Level& level) : sign_(level.by_delta() ? 1 : -1) {}

  /// At the level itself.
  [[nodiscard]] double target() const { return sign_; }
  /// Moved outward to a side by the rounding of this and of the few operations that follow.
  [[nodiscard]] double of(double excess, int side) const {
    return sign_ * std::exp(sign_ * excess) * (1 + sign_ * side * roundings(16, 1, excess));
  }

 private:
  double sign_;
};

/// The share of the width asked of an epsilon that the readings may take.
constexpr double own_share = 0.5;

/// Where a logarithm is 0, by epsilon as a cubic of it through four readings. An estimate.
double by_inverse_interpolation(const std::array<double, 4>& epsilons, const std::array<double, 4>& logs) {
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    double weight = 1;
    for (std::size_t j = 0; j < 4; ++j)
      if (j != i) weight *= -logs[j] / (logs[i] - logs[j]);
    sum += weight * epsilons[i];
  }
  return sum;
}

}  // namespace

SharedInverse::SharedInverse(ReadAll read, double lowest, double highest, double least_delta, double tolerance)
    : read_(std::move(read)),
      tolerance_(tolerance),
      highest_(highest),
      log_width_beyond_(std::log(tolerance * least_delta)) {
  const double farthest = std::max(std::fabs(lowest), std::fabs(highest));
  // Near 0 a relative width is not to be had.
  least_width_ = std::max(1e-9, 1e-2 * tolerance * farthest);
  constexpr int few = 8, many = 160;
  read_evenly(lowest, few);  // makes the pieces
  if (!Work::affords_piece()) return;
  nodes_.clear();
  read_evenly(lowest, many);
  sharpen();
}

/// At the ends of so many parts of what is between the lowest and the highest, and beyond.
void SharedInverse::read_evenly(double lowest, int parts) {
  constexpr int beyond = 3;
  const double step = std::max((highest_ - lowest) / parts, 1e-6 * (1 + std::fabs(highest_)));
  std::vector<ProfilePlace> places;
  for (int i = -beyond; i <= parts + beyond; ++i) {
    const double epsilon = lowest + step * i;
    // Below 0 delta is 1 - e^epsilon and what the opposite adds: its slope is about known.
    const double log_width = epsilon < 0 ? std::log(own_share * width_at(epsilon)) + epsilon : -infinity;
    places.push_back({epsilon, epsilon > highest_ ? log_width_beyond_ : log_width});
  }
  add(places);
}

double SharedInverse::width_at(double epsilon) const { return std::max(tolerance_ * std::fabs(epsilon), least_width_); }

/// Logarithm of the width of delta that serves a reading at an epsilon between two nodes, or at one of them.
double SharedInverse::log_width_between(const Node& left, const Node& right, double epsilon) const {
  const double log_slope = log_fall(left.profile, right.profile) - std::log(right.epsilon - left.epsilon);
  const double log_width = std::log(own_share * width_at(epsilon)) + log_slope;
  return epsilon > highest_ ? std::max(log_width, log_width_beyond_) : log_width;
}

void SharedInverse::add(const std::vector<ProfilePlace>& places) {
  const std::vector<ProfileBracket> found = read_(places);
  for (std::size_t i = 0; i < places.size(); ++i) nodes_.push_back({places[i].epsilon, found[i]});
  std::sort(nodes_.begin(), nodes_.end(), [](const Node& a, const Node& b) { return a.epsilon < b.epsilon; });
}

/// Reads again what was read before the slopes were known.
void SharedInverse::sharpen() {
  std::vector<ProfilePlace> places;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node &left = nodes_[i == 0 ? i : i - 1], &right = nodes_[std::min(i + 1, nodes_.size() - 1)];
    places.push_back({nodes_[i].epsilon, log_width_between(left, right, nodes_[i].epsilon)});
  }
  nodes_.clear();
  add(places);
}

SharedInverse::Solution SharedInverse::solved(double delta) const {
  const Level level(std::log(delta));
  const auto excess = [&](const Node& n) { return level.excess(n.profile); };
  const auto after =
      std::partition_point(nodes_.begin(), nodes_.end(), [&](const Node& n) { return excess(n).estimate > 0; });
  const auto i =
      std::clamp<std::ptrdiff_t>(after - nodes_.begin() - 1, 1, static_cast<std::ptrdiff_t>(nodes_.size()) - 3);
  const Node* const at = &nodes_[static_cast<std::size_t>(i)];
  const Node &before = at[-1], &left = at[0], &right = at[1], &beyond = at[2];
  Solution out{{-infinity, left.epsilon, infinity}, infinity, static_cast<std::size_t>(i)};

  const Quotient quotient(level);
  const auto upper = [&](const Node& n) { return quotient.of(excess(n).upper, +1); };
  const auto lower = [&](const Node& n) { return quotient.of(excess(n).lower, -1); };
  const double target = quotient.target(), length = std::expm1(right.epsilon - left.epsilon);
  // x less the left node's, over it; log1p gives epsilon back.
  const auto epsilon_at = [&](double x, int side) {
    if (!(x > -1)) return side > 0 ? infinity : -infinity;  // or no number: quotients of tiny deltas overflow
    const double epsilon = left.epsilon + std::log1p(x);
    return epsilon + side * doubt(epsilon, 16);
  };
  // Wide readings tell farther nodes from the level only.
  const auto first_below =
      std::partition_point(nodes_.begin(), nodes_.end(), [&](const Node& n) { return excess(n).upper > 0; });
  const auto first_in_doubt =
      std::partition_point(nodes_.begin(), nodes_.end(), [&](const Node& n) { return excess(n).lower >= 0; });
  if (first_below != nodes_.end()) out.epsilon.upper = first_below->epsilon;
  if (first_in_doubt != nodes_.begin()) out.epsilon.lower = std::prev(first_in_doubt)->epsilon;

  const double left_up = upper(left), right_up = upper(right);
  if (left_up > target && right_up <= target)
    out.epsilon.upper = std::min(right.epsilon, epsilon_at((left_up - target) / (left_up - right_up) * length, +1));

  const double left_low = lower(left), right_low = lower(right);
  if (left_low >= target) {
    const double slope = (upper(before) - left_low) / -std::expm1(before.epsilon - left.epsilon);
    if (slope > 0)
      out.epsilon.lower =
          std::max(out.epsilon.lower, std::min(right.epsilon, epsilon_at((left_low - target) / slope, -1)));
  }
  if (right_low < target) {
    const double slope = (right_low - upper(beyond)) / (std::expm1(beyond.epsilon - left.epsilon) - length);
    if (slope > 0)
      out.epsilon.lower = std::max(out.epsilon.lower, epsilon_at(length - (target - right_low) / slope, -1));
  }

  const double estimate = by_inverse_interpolation(
      {before.epsilon, left.epsilon, right.epsilon, beyond.epsilon},
      {excess(before).estimate, excess(left).estimate, excess(right).estimate, excess(beyond).estimate});
  out.epsilon.estimate = std::isfinite(estimate) ? estimate : left.epsilon;
  out.epsilon = intersection({out.epsilon.lower, out.epsilon.estimate, infinity}, at_most(out.epsilon.upper));
  const double rate = std::fabs(excess(left).estimate - excess(right).estimate) / (right.epsilon - left.epsilon);
  out.own_width = 0;
  for (const Node* node : {&left, &right})  // far out a reading has no lower end, which says nothing nearer
    if (const double width = excess(*node).width(); width < infinity)
      out.own_width = std::max(out.own_width, width / rate);
  return out;
}

std::vector<Bracket> SharedInverse::at(const std::vector<double>& deltas) {
  constexpr int most_rounds = 14;
  constexpr std::size_t most_nodes = 5000;
  std::vector<Bracket> out(deltas.size());
  std::vector<std::size_t> open(deltas.size());
  for (std::size_t i = 0; i < open.size(); ++i) open[i] = i;
  for (int round = 0; !open.empty(); ++round) {
    std::vector<std::size_t> still_open, wide;
    for (const std::size_t i : open) {
      const Solution found = solved(deltas[i]);
      out[i] = found.epsilon;
      const double width = found.epsilon.width();
      if (width <= std::max(width_at(found.epsilon.estimate), 4 * found.own_width)) continue;
      still_open.push_back(i);
      wide.push_back(found.interval);
    }
    open = std::move(still_open);
    if (open.empty() || round == most_rounds || nodes_.size() > most_nodes || !Work::affords_piece()) break;
    // The interval itself and its neighbours: the chords drawn out are theirs.
    std::vector<ProfilePlace> middles;
    std::sort(wide.begin(), wide.end());
    std::size_t next = 0;
    for (const std::size_t i : wide)
      for (std::size_t j = std::max(next, i - 1); j <= i + 1 && j + 1 < nodes_.size(); next = ++j) {
        const Node &left = nodes_[j], &right = nodes_[j + 1];
        const double middle = left.epsilon + (right.epsilon - left.epsilon) / 2;
        middles.push_back({middle, log_width_between(left, right, middle)});
      }
    add(middles);
  }
  return out;
}

}  // namespace pld
