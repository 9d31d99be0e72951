#include "sampling/ratio_plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "numeric/log_sum.hpp"

namespace pld {
namespace {

/// Nodes of a coarse run, each of which places those of the next, and how many runs there are at least and at most.
constexpr int coarse_nodes = 160, fewest_runs = 2, most_runs = 7;

/// How far runs may be apart in what they make of the question, in nats, where nodes for it are found.
constexpr double agreement = 0.1;

/// e^x as a double above 0.
double bounded_exp(double x) { return std::exp(std::clamp(x, -600.0, 600.0)); }

/// The weight at the mean's atoms.
struct WeightedAtoms {
  std::vector<double> values;  ///< scaled to be 1 where it weighs most
  double log_mean = -infinity;
};

WeightedAtoms weighted(const RatioLaw& law, const RatioWeight& weight) {
  WeightedAtoms out;
  std::vector<double> logs;
  double most = -infinity;
  for (std::size_t i = 0; i < law.ratios.size(); ++i) {
    const double z = std::log(law.ratios[i] / static_cast<double>(law.terms)),
                 off = (z - weight.centre) / weight.spread;
    logs.push_back(std::isfinite(z) ? weight.slope * z - off * off / 2 : -infinity);
    const double log_share = logs.back() + std::log(law.masses[i]) + 2 * z;
    if (logs.back() > -infinity) out.log_mean = log_sum(out.log_mean, log_share), most = std::max(most, log_share);
  }
  for (const double log : logs) out.values.push_back(log > -infinity ? bounded_exp(log - most) : 0);
  return out;
}

/// Adds to `into`, at each atom x of a part, the mean of `values` at x joined with the other part, times the square of
/// how fast that moves with x.
void add_mean(Join how, const RatioLaw& part, const RatioLaw& other, const RatioLaw& whole,
              const std::vector<double>& values, std::vector<double>& into) {
  const std::size_t last = whole.ratios.size() - 1;
  const double scale = how == Join::product ? static_cast<double>(part.terms) : 1;
  for (std::size_t i = 0; i < part.ratios.size(); ++i) {
    double sum = 0;
    for (std::size_t j = 0, k = 0; j < other.ratios.size(); ++j) {
      const double factor = other.ratios[j] / static_cast<double>(how == Join::product ? other.terms : 1);
      const double place = how == Join::product ? part.ratios[i] / scale * factor : part.ratios[i] + factor;
      while (k < last && whole.ratios[k] < place) ++k;
      // The nearer of two neighbours.
      const std::size_t at = k > 0 && place - whole.ratios[k - 1] < whole.ratios[k] - place ? k - 1 : k;
      sum += other.masses[j] * values[at] * (how == Join::product ? factor * factor / (scale * scale) : 1);
    }
    into[i] = std::min(into[i] + sum, 1e300);
  }
}

/// How far apart the mean's atoms lie about there, in z = log r.
double gap_at(const RatioLaw& law, double z) {
  const double ratio = std::exp(z) * static_cast<double>(law.terms);
  const auto after = std::upper_bound(law.ratios.begin(), law.ratios.end(), ratio) - law.ratios.begin();
  const auto high = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(after, 1, std::ssize(law.ratios) - 1));
  if (law.ratios.size() < 2 || law.ratios[high - 1] == 0) return 0;
  return std::log(law.ratios[high] / law.ratios[high - 1]);
}

/// Nodes for a part on its coarse edges. A cell's error is its mass times its width squared times the second
/// derivative: the sum is least where the density is the cube root of all but the width.
NodeMap map_of(const PlacedRatio& rough, const std::vector<double>& second) {
  const auto& [law, edges] = rough;
  if (edges.empty()) return {};
  std::vector<double> shares(edges.size() - 1);
  for (std::size_t i = 0; i < law.ratios.size(); ++i) {
    if (!(law.ratios[i] > 0)) continue;
    const auto after = std::upper_bound(edges.begin(), edges.end(), std::log(law.ratios[i])) - edges.begin();
    const auto cell = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(after - 1, 0, std::ssize(shares) - 1));
    const double width = edges[cell + 1] - edges[cell];
    const double log_error = std::log(law.masses[i]) + std::log(second[i]) + 2 * std::log(law.ratios[i]);
    if (second[i] > 0) shares[cell] += std::cbrt(std::exp(std::min(log_error, 600.0)) * width * width);
  }
  return NodeMap::by_shares(edges, shares);
}

}  // namespace

std::size_t RatioPlan::add(Join how, std::size_t left, std::size_t right) {
  parts_.push_back({how, left, right});
  return parts_.size();
}

std::size_t RatioPlan::add_copies(Join how, std::size_t of, std::int64_t times) {
  std::size_t all = of;
  for (int bit = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(times))) - 2; bit >= 0; --bit) {
    all = add(how, all, all);
    if ((times >> bit) & 1) all = add(how, all, of);
  }
  return all;
}

std::vector<PlacedRatio> RatioPlan::run(Side side, int count) const {
  static const NodeMap by_depth;
  const auto map = [&](std::size_t i) -> const NodeMap& { return i < maps_.size() ? maps_[i] : by_depth; };
  std::vector<PlacedRatio> all{ratio_of_pair(*pair_, side, count, map(base))};
  for (const Part& part : parts_) {
    const auto law = [&](std::size_t i) { return part.how == Join::product ? mean_of_terms(all[i].law) : all[i].law; };
    const RatioLaw left = law(part.left);
    all.push_back(part.left == part.right ? join(part.how, left, left, side, count, map(all.size()))
                                          : join(part.how, left, law(part.right), side, count, map(all.size())));
  }
  return all;
}

RatioLaw RatioPlan::law(Side side, int count) const { return mean_of_terms(std::move(run(side, count).back().law)); }

std::vector<std::vector<double>> RatioPlan::second_derivatives(const std::vector<PlacedRatio>& rough,
                                                               std::vector<double> of_whole) const {
  std::vector<std::vector<double>> all;
  for (const PlacedRatio& part : rough) all.emplace_back(part.law.ratios.size(), 0.0);
  all.back() = std::move(of_whole);
  for (std::size_t i = parts_.size(); i > 0; --i) {
    const auto [how, left, right] = parts_[i - 1];
    add_mean(how, rough[left].law, rough[right].law, rough[i].law, all[i], all[left]);
    add_mean(how, rough[right].law, rough[left].law, rough[i].law, all[i], all[right]);
  }
  return all;
}

void RatioPlan::place_nodes(const RatioWeight& weight) {
  constexpr double gaps = 2;
  WeightedAtoms whole;
  for (int i = 1; i <= most_runs; ++i) {
    const std::vector<PlacedRatio> rough = run(Side::lower, coarse_nodes);
    // Laws of which doubles hold nothing give nodes no weight.
    if (std::any_of(rough.begin(), rough.end(), [](const PlacedRatio& part) { return part.law.ratios.empty(); }))
      return;
    // What falls between the nodes of a run is not seen by it.
    RatioWeight seen = weight;
    seen.spread = std::max(weight.spread, gaps * gap_at(rough.back().law, weight.centre));
    const double before = whole.log_mean;
    whole = weighted(rough.back().law, seen);
    const std::vector<std::vector<double>> second = second_derivatives(rough, whole.values);
    maps_.clear();
    for (std::size_t part = 0; part < rough.size(); ++part) maps_.push_back(map_of(rough[part], second[part]));
    if (i >= fewest_runs && std::fabs(whole.log_mean - before) < agreement) return;
  }
}

}  // namespace pld
