#include "pairs/outline_cells.hpp"

#include <algorithm>

#include "pairs/loss_cuts.hpp"

namespace pld {

std::vector<double> edges_between(const std::vector<LossCell>& outline, double highest, std::size_t stride) {
  std::vector<double> edges{-infinity};
  for (std::size_t i = stride; i < outline.size(); i += stride) {
    const double edge = outline[i - 1].loss + (outline[i].loss - outline[i - 1].loss) / 2;
    if (edge < highest && edge > edges.back()) edges.push_back(edge);
  }
  if (edges.size() > 2 && highest < infinity) {
    double step = edges.back() - edges[edges.size() - 2];
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

std::vector<LossCell> finer_outline(const DominatingPair& pair, std::size_t parts) {
  std::vector<LossCell> outline = pair.outline();
  const LossRange span{outline.front().loss, outline.back().loss};
  if (parts == 1 || !pair.has_density() || cells_take_long(pair, span)) return outline;
  std::vector<LossCell> all = pair.atoms(span);
  pair.cells(in_parts(edges_between(outline, pair.range().highest, 1), parts), all);
  std::erase_if(all, [](const LossCell& cell) { return cell.log_mass == -infinity || cell.loss == infinity; });
  std::stable_sort(all.begin(), all.end(), [](const LossCell& a, const LossCell& b) { return a.loss < b.loss; });
  return all;
}

}  // namespace pld
