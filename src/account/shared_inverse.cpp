#include "account/shared_inverse.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "account/profile_fall.hpp"
#include "core/intersection.hpp"
#include "numeric/log_doubt.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// What is inverted: the smaller one of delta and 1 - delta, over the value wanted. Falls with epsilon; the complement
/// with its sign changed is convex too.
class Wanted {
 public:
  explicit Wanted(double delta)
      : by_delta_(delta < 0.5), log_value_(by_delta_ ? std::log(delta) : std::log1p(-delta)) {}

  [[nodiscard]] const Bracket& log_of(const ProfileBracket& p) const {
    return by_delta_ ? p.log_delta : p.log_complement;
  }
  [[nodiscard]] double log_value() const { return log_value_; }
  /// The wanted one's own, as value() has it.
  [[nodiscard]] double target() const { return by_delta_ ? 1 : -1; }

  [[nodiscard]] double lower(const ProfileBracket& p) const {
    return by_delta_ ? scaled(p.log_delta.lower, -1) : -scaled(p.log_complement.upper, +1);
  }
  [[nodiscard]] double upper(const ProfileBracket& p) const {
    return by_delta_ ? scaled(p.log_delta.upper, +1) : -scaled(p.log_complement.lower, -1);
  }

 private:
  /// Moved outward by the rounding of this and of the few operations that follow.
  [[nodiscard]] double scaled(double log_value, int side) const {
    return std::exp(log_value - log_value_) *
           (1 + side * 16 * unit_roundoff * (2 + std::fabs(log_value_) + std::fabs(log_value - log_value_)));
  }

  bool by_delta_;
  double log_value_;
};

/// The share of the width asked of an epsilon that the readings may take.
constexpr double own_share = 0.5;

/// Epsilon as a cubic of the logarithm through four readings. An estimate.
double by_inverse_interpolation(const std::array<double, 4>& epsilons, const std::array<double, 4>& logs,
                                double log_value) {
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    double weight = 1;
    for (std::size_t j = 0; j < 4; ++j)
      if (j != i) weight *= (log_value - logs[j]) / (logs[i] - logs[j]);
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
  constexpr int parts = 160, beyond = 3;
  const double farthest = std::max(std::fabs(lowest), std::fabs(highest));
  // Near 0 a relative width is not to be had.
  least_width_ = std::max(1e-9, 1e-2 * tolerance * farthest);
  const double step = std::max((highest - lowest) / parts, 1e-6 * (1 + std::fabs(highest)));
  std::vector<ProfilePlace> places;
  for (int i = -beyond; i <= parts + beyond; ++i) {
    const double epsilon = lowest + step * i;
    // Below 0 delta is 1 - e^epsilon and what the opposite adds: its slope is about known.
    const double log_width = epsilon < 0 ? std::log(own_share * width_at(epsilon)) + epsilon : -infinity;
    places.push_back({epsilon, epsilon > highest ? log_width_beyond_ : log_width});
  }
  add(places);
  sharpen();
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
  const Wanted wanted(delta);
  const double log_value = wanted.log_value(), falling = wanted.target();
  const auto after = std::partition_point(nodes_.begin(), nodes_.end(), [&](const Node& n) {
    return falling * wanted.log_of(n.profile).estimate > falling * log_value;
  });
  const auto i =
      std::clamp<std::ptrdiff_t>(after - nodes_.begin() - 1, 1, static_cast<std::ptrdiff_t>(nodes_.size()) - 3);
  const Node* const at = &nodes_[static_cast<std::size_t>(i)];
  const Node &before = at[-1], &left = at[0], &right = at[1], &beyond = at[2];
  Solution out{{-infinity, left.epsilon, infinity}, infinity, static_cast<std::size_t>(i)};

  const double target = wanted.target(), length = std::expm1(right.epsilon - left.epsilon);
  // x less the left node's, over it; log1p gives epsilon back.
  const auto epsilon_at = [&](double x, int side) {
    if (!(x > -1)) return -infinity;
    const double epsilon = left.epsilon + std::log1p(x);
    return epsilon + side * doubt(epsilon, 16);
  };
  const double left_up = wanted.upper(left.profile), right_up = wanted.upper(right.profile);
  if (left_up <= target)
    out.epsilon.upper = left.epsilon;
  else if (right_up <= target)
    out.epsilon.upper = std::min(right.epsilon, epsilon_at((left_up - target) / (left_up - right_up) * length, +1));

  const double left_low = wanted.lower(left.profile), right_low = wanted.lower(right.profile);
  if (left_low >= target) {
    const double slope = (wanted.upper(before.profile) - left_low) / -std::expm1(before.epsilon - left.epsilon);
    out.epsilon.lower = left.epsilon;
    if (slope > 0)
      out.epsilon.lower =
          std::max(out.epsilon.lower, std::min(right.epsilon, epsilon_at((left_low - target) / slope, -1)));
  } else if (wanted.lower(before.profile) >= target) {
    out.epsilon.lower = before.epsilon;
  }
  if (right_low >= target) {
    out.epsilon.lower = right.epsilon;
  } else {
    const double slope =
        (right_low - wanted.upper(beyond.profile)) / (std::expm1(beyond.epsilon - left.epsilon) - length);
    if (slope > 0)
      out.epsilon.lower = std::max(out.epsilon.lower, epsilon_at(length - (target - right_low) / slope, -1));
  }

  const auto log_of = [&](const Node& n) { return wanted.log_of(n.profile).estimate; };
  const double estimate =
      by_inverse_interpolation({before.epsilon, left.epsilon, right.epsilon, beyond.epsilon},
                               {log_of(before), log_of(left), log_of(right), log_of(beyond)}, log_value);
  out.epsilon.estimate = std::isfinite(estimate) ? estimate : left.epsilon;
  out.epsilon = intersection({out.epsilon.lower, out.epsilon.estimate, infinity}, at_most(out.epsilon.upper));
  const double rate = std::fabs(log_of(left) - log_of(right)) / (right.epsilon - left.epsilon);
  out.own_width = std::max(wanted.log_of(left.profile).width(), wanted.log_of(right.profile).width()) / rate;
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
    if (open.empty() || round == most_rounds || nodes_.size() > most_nodes) break;
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
