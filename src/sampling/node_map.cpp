#include "sampling/node_map.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace pld {
namespace {

/// The depth in a tail, in standard deviations, from which on nodes thin out; and the share of them that is spread
/// evenly, whatever the mass there.
constexpr double depth_scale = 4.5, even_share = 0.1;

/// The share of nodes that stay as the edges lie, where others go where they tell the most.
constexpr double share_of_edges = 0.2;

/// About how many standard deviations from the median a normal law has this tail: right there and far out.
double depth(double log_tail) {
  constexpr double at_median = 1.2533;  // sqrt(2 pi) / 2
  const double nats = std::clamp(-log_tail - std::log(2.0), 0.0, 1000.0);
  return at_median * nats / std::sqrt(1 + at_median * at_median / 2 * nats);
}

/// The integral of 1 / (1 + y^4) from 0 to the depth over its scale: even in the bulk, few nodes far beyond it.
double place_of_depth(double x) {
  constexpr double root = std::numbers::sqrt2;
  const double y = x / depth_scale;
  return (std::log((y * y + root * y + 1) / (y * y - root * y + 1)) / 2 + std::atan(root * y + 1) +
          std::atan(root * y - 1)) /
         (2 * root);
}

/// Lets no gap be much wider than those beside it: one that reaches from a place that tells much into a tail that tells
/// nothing would spoil what is told. Sums of sums spread mass up a tail by a cell each, so gaps widen slowly.
void grade(const std::vector<double>& edges, std::vector<double>& density) {
  constexpr double usual_count = 500, growth = 0.05;
  const auto limit = [&](std::size_t i, std::size_t from) {
    const double away = std::fabs(edges[i + 1] + edges[i] - edges[from + 1] - edges[from]) / 2;
    density[i] = std::max(density[i], 1 / (1 / density[from] + usual_count * growth * away));
  };
  for (std::size_t i = 1; i < density.size(); ++i) limit(i, i - 1);
  for (std::size_t i = density.size(); i-- > 1;) limit(i - 1, i);
}

}  // namespace

NodeMap NodeMap::by_depth(const std::vector<Knot>& knots) {
  NodeMap map;
  std::vector<double>& place = map.place_;
  for (const Knot& knot : knots) {
    const double here =
        knot.log_left < knot.log_right ? place_of_depth(-depth(knot.log_left)) : place_of_depth(depth(knot.log_right));
    place.push_back(place.empty() ? here : std::max(here, place.back()));
    map.at_.push_back(knot.at);
  }
  const double start = place.front(), all = std::max(place.back() - place.front(), 1e-300);
  for (std::size_t i = 0; i < knots.size(); ++i)
    place[i] = (1 - even_share) * (place[i] - start) / all + even_share * knots[i].even;
  return map;
}

NodeMap NodeMap::by_shares(const std::vector<double>& edges, const std::vector<double>& shares) {
  const double all = std::accumulate(shares.begin(), shares.end(), 0.0), cells = static_cast<double>(shares.size());
  const double wanted = all > 0 && std::isfinite(all) ? (1 - share_of_edges) / all : 0;
  std::vector<double> density;
  for (std::size_t i = 0; i < shares.size(); ++i)
    density.push_back((wanted * shares[i] + share_of_edges / cells) / (edges[i + 1] - edges[i]));
  grade(edges, density);
  NodeMap map;
  map.at_ = edges;
  map.place_.push_back(0);
  for (std::size_t i = 0; i < shares.size(); ++i)
    map.place_.push_back(map.place_.back() + density[i] * (edges[i + 1] - edges[i]));
  return map;
}

std::vector<double> NodeMap::nodes(int count) const {
  constexpr double least_gap = 1e-10;
  std::vector<double> nodes{at_.front()};
  for (std::size_t i = 0, k = 1; k < static_cast<std::size_t>(count); ++k) {
    const double wanted = place_.back() * static_cast<double>(k) / count;
    while (i + 2 < at_.size() && place_[i + 1] <= wanted) ++i;
    const double share = std::clamp((wanted - place_[i]) / std::max(place_[i + 1] - place_[i], 1e-300), 0.0, 1.0);
    const double node = at_[i] + share * (at_[i + 1] - at_[i]);
    if (node > nodes.back() + least_gap && node < at_.back() - least_gap) nodes.push_back(node);
  }
  nodes.push_back(at_.back());
  return nodes;
}

}  // namespace pld
