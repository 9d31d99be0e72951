#pragma once

#include <vector>

namespace pld {

/// A place on the line of log ratios, with the logarithms of the mass to its left and right.
struct Knot {
  double at = 0, log_left = 0, log_right = 0;
  double even = 0;  ///< how far along the line it is, from 0 to 1
};

/// Where nodes lie on the line of log ratios, however many: a rising function from a place to the share of them to its
/// left.
class NodeMap {
 public:
  NodeMap() = default;

  /// Dense in the bulk, thinner in the tails. At least two knots, increasing.
  [[nodiscard]] static NodeMap by_depth(const std::vector<Knot>& knots);

  /// Between consecutive edges as many nodes, about, as `shares` says; a part of them as the edges lie. One share fewer
  /// than edges, each >= 0.
  [[nodiscard]] static NodeMap by_shares(const std::vector<double>& edges, const std::vector<double>& shares);

  [[nodiscard]] bool empty() const { return at_.empty(); }

  /// At most `count` + 1 increasing places, with the first and the last.
  [[nodiscard]] std::vector<double> nodes(int count) const;

 private:
  std::vector<double> at_, place_;
};

}  // namespace pld
