#include "pairs/outline_cells.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "core/work.hpp"
#include "pairs/loss_cuts.hpp"
#include "pairs/remembered.hpp"

namespace pld {

std::vector<double> edges_between(const std::vector<LossCell>& outline, double highest, std::size_t stride) {
  std::vector<double> edges{-infinity};
  for (std::size_t i = stride; i < outline.size(); i += stride) {
    const double edge = outline[i - 1].loss + (outline[i].loss - outline[i - 1].loss) / 2;
    if (edge < highest && edge > edges.back()) edges.push_back(edge);
  }
  if (edges.size() > 2 && highest < infinity) {
    // A fifth of fewer steps of the least double is rounded off: such a step would never grow.
    constexpr double least_that_grows = 5 * std::numeric_limits<double>::denorm_min();
    double step = std::max(edges.back() - edges[edges.size() - 2], least_that_grows);
    for (double edge = edges.back() + step; edge < highest; edge += (step *= 1.2)) edges.push_back(edge);
  }
  edges.push_back(highest);
  return edges;
}

std::vector<double> in_parts(const std::vector<double>& edges, std::size_t parts) {
  std::vector<double> finer{edges.front()};
  finer.reserve(edges.size() * parts);
  for (std::size_t i = 1; i < edges.size(); ++i) {
    if (edges[i] - edges[i - 1] < infinity)
      for (std::size_t p = 1; p < parts; ++p)
        finer.push_back(edges[i - 1] + (edges[i] - edges[i - 1]) * static_cast<double>(p) / static_cast<double>(parts));
    finer.push_back(edges[i]);
  }
  return finer;
}

namespace {

/// About where less than e^log_mass lies farther out on that side of 0, to a factor of 2; 0 where no loss is there.
double reach_of(const DominatingPair& pair, double side, double log_mass) {
  constexpr double least = 1e-12, most = 1e12;
  const double end = side > 0 ? pair.range().highest : -pair.range().lowest;
  if (!(end > least)) return 0;
  const auto goes_beyond = [&](double z) { return (side > 0 ? pair.above(z) : pair.below(-z)).log_mass > log_mass; };
  double z = std::min(1.0, end);
  while (z < std::min(end, most) && goes_beyond(z)) z = std::min(2 * z, end);
  while (z > least && !goes_beyond(z / 2)) z /= 2;
  return z;
}

/// How far from 0 the edges on that side of it are, the farthest last.
std::vector<double> edges_outward(const DominatingPair& pair, double side, std::size_t count) {
  constexpr double usual = -1.5, negligible = -60, narrow = 0.25;
  const double farthest = reach_of(pair, side, negligible), nearest = narrow * reach_of(pair, side, usual);
  std::vector<double> out;
  if (!(nearest > 0 && nearest < farthest)) return out;
  const double log_factor = std::log(farthest / nearest) / static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i) out.push_back(nearest * std::exp(log_factor * static_cast<double>(i)));
  out.push_back(farthest);
  return out;
}

}  // namespace

std::vector<double> few_edges(const DominatingPair& pair, double highest, std::size_t cells) {
  const std::vector<double> left = edges_outward(pair, -1, cells / 2), right = edges_outward(pair, +1, cells / 2);
  std::vector<double> edges{-infinity};
  const auto add = [&](double edge) {
    if (edges.back() < edge && edge < highest) edges.push_back(edge);
  };
  std::for_each(left.rbegin(), left.rend(), [&](double distance) { add(-distance); });
  std::for_each(right.begin(), right.end(), add);
  edges.push_back(highest);
  return edges;
}

namespace {

std::vector<LossCell> in_parts_of_cells(const DominatingPair& pair, const std::vector<LossCell>& outline,
                                        std::size_t parts) {
  if (outline.empty()) return outline;
  const LossRange span{outline.front().loss, outline.back().loss};
  if (!pair.has_density() || cells_take_long(pair, span)) return outline;
  std::vector<LossCell> all = pair.atoms(span);
  pair.cells(in_parts(edges_between(outline, pair.range().highest, 1), parts), all);
  std::erase_if(all, [](const LossCell& cell) { return cell.log_mass == -infinity || cell.loss == infinity; });
  std::stable_sort(all.begin(), all.end(), [](const LossCell& a, const LossCell& b) { return a.loss < b.loss; });
  return all;
}

}  // namespace

std::shared_ptr<const std::vector<LossCell>> finer_outline(const PairPtr& pair, std::size_t parts) {
  static Remembered<std::shared_ptr<const std::vector<LossCell>>> remembered;
  constexpr double most_points = 2e7;
  const auto whole = remembered.of({{pair, 1}}, [&] {
    auto outline = pair->outline();
    constexpr double points_to_keep = 4;
    Work::note(points_to_keep * static_cast<double>(outline.size()));
    return std::make_shared<const std::vector<LossCell>>(std::move(outline));
  });
  const double points = points_of_cell(*pair) * static_cast<double>(whole->size());
  parts = std::clamp<std::size_t>(static_cast<std::size_t>(most_points / points), 1, parts);
  if (parts == 1) return whole;
  return remembered.of({{pair, static_cast<std::int64_t>(parts)}}, [&] {
    Work::note(static_cast<double>(parts) * points);
    return std::make_shared<const std::vector<LossCell>>(in_parts_of_cells(*pair, *whole, parts));
  });
}

}  // namespace pld
