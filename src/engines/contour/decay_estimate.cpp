#include "engines/contour/decay_estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "engines/contour/discrete_gaussian_part.hpp"
#include "engines/contour/grain.hpp"
#include "pairs/gaussian_allocation.hpp"
#include "pairs/remembered.hpp"
#include "pld/core/rounding.hpp"

namespace pld::contour {

bool decays(const DominatingPair& pair) {
  if (allocation_of(pair)) return true;
  return pair.has_density() && !DiscreteGaussianPart::of(pair) && !grained_law(pair);
}

namespace {

/// Nodes for each unit of frequency times the composition's deviation.
constexpr double nodes_a_unit = 1.35;

/// Frequencies as multiples of 1 / deviation: an outline shows no higher ones.
constexpr std::array<double, 7> multiples{0.25, 0.5, 1, 2, 4, 8, 16};

/// How a release's characteristic function decays.
struct Decay {
  double deviation = 0;
  double outcomes = 0;                          ///< that show it
  bool goes_on = false;                         ///< no atoms stop it
  std::array<double, multiples.size()> nats{};  ///< lost from these multiples of 1 / deviation on

  /// -log |E e^{is'z}| for all s' >= s, about.
  [[nodiscard]] double at(double s) const {
    const double multiple = s * deviation;
    // Where the density ends, or grows without bound, its transform falls like a root of the frequency at least.
    if (multiple > multiples.back()) return nats.back() + (goes_on ? std::log(multiple / multiples.back()) / 2 : 0);
    if (multiple < multiples.front())
      return std::min(nats.front(), nats.front() * std::pow(multiple / multiples.front(), 2));
    const auto next = std::upper_bound(multiples.begin(), multiples.end(), multiple);
    return nats[static_cast<std::size_t>(next - multiples.begin()) - 1];
  }
};

Decay decay_of(const DominatingPair& pair) {
  const std::vector<LossCell> outline = pair.outline();
  double mass = 0, mean = 0, square = 0;
  for (const LossCell& cell : outline) mass += std::exp(cell.log_mass), mean += std::exp(cell.log_mass) * cell.loss;
  mean /= mass;
  for (const LossCell& cell : outline) square += std::exp(cell.log_mass) * std::pow(cell.loss - mean, 2);
  Decay decay{.deviation = std::sqrt(square / mass), .outcomes = static_cast<double>(outline.size())};
  if (!decays(pair) || !(decay.deviation > 0)) return decay;
  decay.goes_on = allocation_of(pair) || pair.atoms(pair.range()).empty();
  for (std::size_t i = 0; i < multiples.size(); ++i) {
    const double s = multiples[i] / decay.deviation;
    double re = 0, im = 0;
    for (const LossCell& cell : outline) {
      re += std::exp(cell.log_mass) * std::cos(s * (cell.loss - mean));
      im += std::exp(cell.log_mass) * std::sin(s * (cell.loss - mean));
    }
    decay.nats[i] = std::max(0.0, -std::log(std::hypot(re, im) / mass));
  }
  for (std::size_t i = multiples.size() - 1; i-- > 0;) decay.nats[i] = std::min(decay.nats[i], decay.nats[i + 1]);
  return decay;
}

Decay known_decay(const PairPtr& pair) {
  static Remembered<Decay> remembered;
  return remembered.of({{pair, 1}}, [&] { return decay_of(*pair); });
}

double outcomes_of(const PairPtr& pair) {
  constexpr double of_a_body = 300;
  if (DiscreteGaussianPart::of(*pair)) return 1;
  return grained_law(*pair) ? of_a_body : known_decay(pair).outcomes;
}

/// Whether there may be enough to decay: atoms' share of a characteristic function stays, and where losses end at a
/// finite one what is left falls off slowly.
bool may_decay(const Terms& terms, double most_nodes, double enough_nats) {
  const double nats_of_an_end = 4 + std::log(std::max(1.0, most_nodes / 100)) / 2;
  double nats = 0;
  for (const Term& term : terms) {
    if (!decays(*term.pair)) continue;
    const LossRange range = term.pair->range();
    double atoms = 0;
    if (allocation_of(*term.pair)) return true;
    for (const LossCell& atom : term.pair->atoms(range)) atoms += std::exp(atom.log_mass);
    const bool ends = range.lowest > -infinity || range.highest < infinity;
    const double most = ends ? nats_of_an_end : enough_nats;
    nats += static_cast<double>(term.count) * std::min(most, -std::log(std::min(1.0, atoms)));
  }
  return nats >= enough_nats;
}

}  // namespace

double deviation(const Terms& terms) {
  double variance = 0;
  for (const Term& term : terms)
    variance += static_cast<double>(term.count) * std::pow(known_decay(term.pair).deviation, 2);
  return std::sqrt(variance);
}

double outcomes(const Terms& terms) {
  double sum = 0;
  for (const Term& term : terms) sum += outcomes_of(term.pair);
  return sum;
}

bool decays_within(const Terms& terms, double most_nodes, double enough_nats) {
  if (!may_decay(terms, most_nodes, enough_nats)) return false;
  const double s = most_nodes / (nodes_a_unit * deviation(terms));
  double nats = 0;
  for (const Term& term : terms) nats += static_cast<double>(term.count) * known_decay(term.pair).at(s);
  return nats >= enough_nats;
}

}  // namespace pld::contour
