#include "lattice/tilted_cuts.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <vector>

#include "numeric/roundings.hpp"
#include "pairs/loss_cuts.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// Sampling squeezes the losses of most atoms together at the lower end of the range, and there may be very many. The
/// outline's cells are spread as the atoms are.
template <class Negligible>
double outermost_negligible(const DominatingPair& pair, const Negligible& negligible) {
  const std::vector<LossCell> outline = pair.outline();
  const auto first =
      std::partition_point(outline.begin(), outline.end(), [&](const LossCell& c) { return negligible(c.loss); });
  return first == outline.begin() ? pair.range().lowest : std::prev(first)->loss;
}

/// The largest loss below which a release tilted by t has at most e^log_share of its mass, or the end of its range.
double lower_cut(const CutPair& release, const CumulantValue& k, double t, double log_share) {
  const DominatingPair& pair = *release.pair;
  const LossRange range = pair.range();
  const auto negligible = [&](double z) { return pair.below(z).log_mass + t * z - k.value <= log_share; };
  double high = std::min(k.mean, release.cut.highest), step = std::sqrt(k.variance) + 1e-3 / (1 + t), low = high;
  while (!negligible(low)) {
    high = low;
    low -= step;
    step *= 2;
    if (low <= range.lowest) return pair.has_density() ? range.lowest : outermost_negligible(pair, negligible);
  }
  for (int i = 0; i < 20; ++i) {
    const double middle = low + (high - low) / 2;
    (negligible(middle) ? low : high) = middle;
  }
  return low;
}

/// Edges from `from` to `to`, the first `step` apart, each step 5% longer than the last.
std::vector<double> growing_steps(double from, double to, double step) {
  std::vector<double> edges;
  for (double z = from; z < to; z += step, step *= 1.05) edges.push_back(z);
  edges.push_back(to);
  return edges;
}

/// A density's cut may lie as far out as one release alone can go, and the tilted mass much nearer: cells' P mass times
/// e^{tz} at their upper ends, summed from the right, says where it has become negligible.
void cut_density_above(CutPair& release, const CumulantValue& k, double t, double log_share) {
  const double deviation = std::sqrt(k.variance), highest = release.cut.highest;
  if (!(highest < infinity && highest - k.mean > 20 * deviation && deviation > 0)) return;
  if (cells_take_long(*release.pair, {k.mean, highest})) return;
  const std::vector<double> edges = growing_steps(k.mean, highest, std::min(deviation / 4, 1 / (1 + t)));
  const std::vector<LossCell> cells = cells_between(*release.pair, edges);
  const std::vector<LossCell> atoms = release.pair->atoms({k.mean, highest});
  const double outermost_atom = atoms.empty() ? -infinity : atoms.back().loss;
  const double doubt_of_edges = t * release.pair->loss_error({k.mean, highest});  // a cell's own would be searched for
  double weight = 0;
  for (std::size_t i = cells.size(); i-- > 1;) {
    const double exponent = cells[i].log_mass + t * edges[i + 1] - k.value;
    // 16 u (1 + |log mass|) of the mass, the edges' own error, and the exponent's roundings.
    const double doubt = roundings(32, cells[i].log_mass, t * edges[i + 1], k.value) + doubt_of_edges;
    const double next = weight + std::exp(exponent + doubt) * (1 + 4 * unit_roundoff);
    if (!(std::log(next) <= log_share) || edges[i] <= outermost_atom) break;
    weight = next;
    release.cut.highest = edges[i];
  }
  release.cut_weight = weight;
}

}  // namespace

void cut_by_tilt(CutPair& release, double t, double log_share) {
  const CumulantValue k = release.cumulant.at(t);
  release.cut.lowest = lower_cut(release, k, t, log_share);
  release.cut_weight = 0;
  if (release.pair->has_density()) cut_density_above(release, k, t, log_share);
}

}  // namespace pld
