#include "readout/shared_lines.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <utility>

#include "account/profile_fall.hpp"
#include "core/work.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// The readings of consecutive nodes at one alpha, taken as they are asked for.
class ReadingsAt {
 public:
  /// `read(i)` of node i of so many, beginning with `first`.
  template <class Read>
  ReadingsAt(std::size_t nodes, std::size_t first, const Read& read)
      : read_(read),
        nodes_(static_cast<std::ptrdiff_t>(nodes)),
        begin_(static_cast<std::ptrdiff_t>(first)),
        lowest_(begin_) {
    seen_.push_back(read_(first));
    walk(+1);
    walk(-1);
  }

  /// So many places from the lowest node; null beyond the last.
  [[nodiscard]] const LineReading* around(int places) { return node(lowest_ + places); }

  [[nodiscard]] std::size_t lowest() const { return static_cast<std::size_t>(lowest_); }

 private:
  void walk(int side) {
    while (node(lowest_ + side) && node(lowest_ + side)->logit() < node(lowest_)->logit()) lowest_ += side;
  }
  [[nodiscard]] const LineReading* node(std::ptrdiff_t index) {
    if (index < 0 || index >= nodes_) return nullptr;
    while (index < begin_) seen_.push_front(read_(static_cast<std::size_t>(--begin_)));
    while (index >= begin_ + static_cast<std::ptrdiff_t>(seen_.size()))
      seen_.push_back(read_(static_cast<std::size_t>(begin_) + seen_.size()));
    return &seen_[static_cast<std::size_t>(index - begin_)];
  }

  std::function<LineReading(std::size_t)> read_;
  std::ptrdiff_t nodes_, begin_, lowest_;
  std::deque<LineReading> seen_;  ///< keeps its elements' places in memory as it grows
};

}  // namespace

SharedLines::SharedLines(ReadAll read, const ProfileEnd& end, double lowest, double highest, double tolerance)
    : read_(std::move(read)), end_(end), lowest_(lowest), highest_(highest), tolerance_(tolerance) {
  constexpr int first_parts = 96, beyond = 2;
  constexpr std::size_t most_nodes = 5000;
  step_ = std::max((highest - lowest) / first_parts, 1e-6 * (1 + std::fabs(highest)));
  std::vector<double> epsilons;
  for (int i = -beyond; i <= first_parts + beyond; ++i) epsilons.push_back(lowest + step_ * i);
  if (lowest < end.largest_loss && end.largest_loss < highest) epsilons.push_back(end.largest_loss);
  while (!epsilons.empty() && nodes_.size() < most_nodes) {
    add(std::move(epsilons));
    if (!Work::affords_piece()) break;
    epsilons = new_epsilons();
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) touching_alphas_.push_back(touching_alpha(i));
}

void SharedLines::add(std::vector<double> epsilons) {
  std::sort(epsilons.begin(), epsilons.end());
  const std::vector<LineProfile> found = read_(epsilons);
  for (std::size_t i = 0; i < epsilons.size(); ++i) nodes_.push_back({epsilons[i], found[i]});
  std::sort(nodes_.begin(), nodes_.end(), [](const Node& a, const Node& b) { return a.epsilon < b.epsilon; });
}

std::vector<double> SharedLines::new_epsilons() {
  bool too_short = false;         // no rise within the nodes
  std::vector<std::size_t> wide;  // by their left node
  for (std::size_t i = 2; i + 2 < nodes_.size(); ++i) {
    Node& node = nodes_[i];
    if (node.settled || node.epsilon < lowest_ - step_ || node.epsilon > highest_ + step_) continue;
    const double alpha = touching_alpha(i);
    if (is_straight(i, alpha)) {
      node.settled = true;
      continue;
    }
    std::size_t lowest = i;
    const CertifiedLine found = alpha > 0 && alpha < 1 ? certified(lowest, alpha) : CertifiedLine{.width = 0};
    if (found.excess == infinity && found.width > 0) {
      too_short = true;
    } else if (!found.good() && found.width > tolerance_ / 2) {
      // Within a straight piece the lowest node is at one of its ends.
      wide.push_back(lowest - 1);
      wide.push_back(lowest);
    } else {
      node.settled = true;
    }
  }
  std::sort(wide.begin(), wide.end());
  wide.erase(std::unique(wide.begin(), wide.end()), wide.end());
  constexpr double least_part = 1.0 / 4096;  // of a first interval; what is left is noise
  std::vector<double> epsilons;
  for (const std::size_t i : wide)
    if (nodes_[i + 1].epsilon - nodes_[i].epsilon > least_part * step_) epsilons.push_back(inside(i));
  const double length = nodes_.back().epsilon - nodes_.front().epsilon, most = 16 * (highest_ - lowest_ + step_);
  if (too_short && length < most)
    for (const double part : {1.0 / 16, 1.0 / 8, 1.0 / 4}) {
      epsilons.push_back(nodes_.front().epsilon - part * length);
      epsilons.push_back(nodes_.back().epsilon + part * length);
    }
  return epsilons;
}

/// Whether a node and its neighbours lie on one line as far as they tell: either they are as close as their widths
/// allow, or other nodes are lowest at all other alphas.
bool SharedLines::is_straight(std::size_t node, double alpha) const {
  if (!(alpha > 0 && alpha < 1)) return false;
  const LineReading middle = reading_at(node, alpha);
  const SmallerOne smaller(middle);
  return !smaller.certainly_above(reading_at(node - 1, alpha), middle) &&
         !smaller.certainly_above(reading_at(node + 1, alpha), middle);
}

/// The epsilon to read next, right of an inner node with two on either side. A kink between it and the next one is
/// where the chords from either side meet; where there is none, that is about half way.
double SharedLines::inside(std::size_t node) const {
  const double left = nodes_[node].epsilon, length = nodes_[node + 1].epsilon - left;
  const double alpha = touching_alpha(node);
  const auto reading = [&](std::size_t i) { return reading_at(i, alpha); };
  const double kink = crossing(reading(node - 1), reading(node), reading(node + 1), reading(node + 2));
  return kink > left + 0.02 * length && kink < left + 0.98 * length ? kink : left + length / 2;
}

LineReading SharedLines::reading_at(std::size_t node, double alpha) const {
  return line_reading(nodes_[node].profile, nodes_[node].epsilon, alpha);
}

/// Where the node's line is the lowest: the profile's slope about there in e^epsilon. An estimate, 0 where there is
/// none.
double SharedLines::touching_alpha(std::size_t node) const {
  if (node == 0) return 1;
  if (node + 1 == nodes_.size()) return 0;
  const Node &left = nodes_[node - 1], &right = nodes_[node + 1];
  return std::exp(log_fall(left.profile.profile, right.profile.profile) - log_difference(right.epsilon, left.epsilon));
}

/// From a node near the lowest one, which that is set to.
CertifiedLine SharedLines::certified(std::size_t& node, double alpha) const {
  ReadingsAt readings(nodes_.size(), node, [&](std::size_t i) { return reading_at(i, alpha); });
  node = readings.lowest();
  return certified_line(around_lowest([&](int places) { return readings.around(places); }, end_), end_, alpha);
}

CertifiedLine SharedLines::at(double alpha) const {
  const auto touching =
      std::partition_point(touching_alphas_.begin(), touching_alphas_.end(), [&](double a) { return a > alpha; });
  auto node = std::min(static_cast<std::size_t>(touching - touching_alphas_.begin()), nodes_.size() - 1);
  CertifiedLine found = certified(node, alpha);
  found.line = with_plain_bounds(found.line, end_, alpha);
  return found;
}

}  // namespace pld
