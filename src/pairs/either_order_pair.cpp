#include "pairs/either_order_pair.hpp"

#include <algorithm>
#include <numeric>

#include "pairs/atomic_pair.hpp"
#include "pairs/profile_pair.hpp"

namespace pld {
namespace {

/// An outcome whose loss is above 0 in one of the orders.
struct Vertex {
  Extended epsilon = 0;  ///< that loss
  bool swapped = false;  ///< in which order
  Extended rarer = 0;    ///< the smaller one of its two masses
};

/// A profile at falling epsilons, as a sum of positive terms: in x = e^epsilon delta grows towards smaller x by the
/// mass of Q above times the step. Off by n 2^-64 after n outcomes.
struct FallingProfile {
  Extended delta = 0;    ///< to begin with the mass of infinite losses
  Extended q_above = 0;  ///< of finite losses

  [[nodiscard]] Extended after(Extended from, Extended to) const {
    return delta + q_above * exp(from) * -expm1(to - from);
  }
};

/// The epsilon between `above` and `below` at which two profiles cross that differ there by the two gaps.
Extended crossing(Extended above, Extended gap_above, Extended below, Extended gap_below) {
  const Extended share = fabs(gap_below) / (fabs(gap_above) + fabs(gap_below));
  return below + log1p(share * expm1(above - below));
}

/// The points at epsilon >= 0 between which the larger one of the two profiles is a straight line in e^epsilon.
std::vector<ProfilePoint> points_of_larger(std::vector<Vertex> vertices, FallingProfile straight,
                                           FallingProfile swapped) {
  std::sort(vertices.begin(), vertices.end(), [](const Vertex& a, const Vertex& b) { return a.epsilon > b.epsilon; });
  vertices.push_back({});
  std::vector<ProfilePoint> points;
  const auto add = [&](Extended epsilon, Extended delta) { points.push_back({epsilon, log(delta)}); };
  Extended last = vertices.front().epsilon;
  for (const Vertex& vertex : vertices) {
    const Extended gap = straight.delta - swapped.delta;
    const FallingProfile straight_before = straight, swapped_before = swapped;
    straight.delta = straight.after(last, vertex.epsilon);
    swapped.delta = swapped.after(last, vertex.epsilon);
    const Extended gap_now = straight.delta - swapped.delta;
    if (gap * gap_now < 0) {
      const Extended between = crossing(last, gap, vertex.epsilon, gap_now);
      add(between, std::max(straight_before.after(last, between), swapped_before.after(last, between)));
    }
    add(vertex.epsilon, std::max(straight.delta, swapped.delta));
    (vertex.swapped ? swapped : straight).q_above += vertex.rarer;
    last = vertex.epsilon;
  }
  return points;
}

}  // namespace

PairPtr pair_in_either_order(const char* where, const std::vector<double>& p, const std::vector<double>& q) {
  const PairPtr ordered = pair_of_masses(where, p, q);
  if (ordered->symmetric()) return ordered;
  const Extended p_total = std::accumulate(p.begin(), p.end(), Extended(0)),
                 q_total = std::accumulate(q.begin(), q.end(), Extended(0));
  std::vector<Vertex> vertices;
  FallingProfile straight, swapped;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Extended p_mass = p[i] / p_total, q_mass = q[i] / q_total;
    if (q_mass == 0) straight.delta += p_mass;
    if (p_mass == 0) swapped.delta += q_mass;
    if (p_mass == 0 || q_mass == 0 || p_mass == q_mass) continue;
    const bool is_swapped = q_mass > p_mass;
    const Extended rarer = is_swapped ? p_mass : q_mass, other = is_swapped ? q_mass : p_mass;
    vertices.push_back({log(other / rarer), is_swapped, rarer});
  }
  return pair_of_profile(points_of_larger(std::move(vertices), straight, swapped));
}

}  // namespace pld
