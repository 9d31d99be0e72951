#include "engines/contour/decay_estimate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

#include "engines/contour/discrete_gaussian_part.hpp"
#include "engines/contour/grain.hpp"
#include "pairs/analytic_law.hpp"
#include "pairs/gaussian_allocation.hpp"
#include "pairs/remembered.hpp"
#include "pld/core/rounding.hpp"

namespace pld::contour {

bool decays(const DominatingPair& pair) {
  if (allocation_of(pair)) return true;
  return pair.has_density() && !DiscreteGaussianPart::of(pair) && !grained_law(pair);
}

bool keeps_atoms(const DominatingPair& pair) {
  if (allocation_of(pair)) return false;
  return !decays(pair) || !pair.atoms(pair.range()).empty();
}

namespace {

/// Nodes for each unit of frequency times the composition's deviation.
constexpr double nodes_a_unit = 1.35;

/// Frequencies as multiples of 1 / deviation, each twice the one before: an outline shows no higher ones.
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

/// Points of an analytic law, where it decays: its atoms, and some of its densities.
std::vector<LossCell> points_of(const AnalyticLaw& law) {
  constexpr int points = 128;
  std::vector<LossCell> all;
  const auto add = [&](const LawPoint& point, double log_width) {
    const auto loss = static_cast<double>(point.loss);
    all.push_back({.loss = loss, .log_mass = static_cast<double>(point.log_q) + loss + log_width});
  };
  for (const LawPoint& atom : law.atoms) add(atom, 0);
  for (const auto& density : law.densities) {
    const double width = (density->to() - density->from()) / points;
    for (int i = 0; i < points; ++i) add(density->at(density->from() + (i + 0.5) * width), std::log(width));
  }
  return all;
}

/// What shows a law's decay: its outline, which engines ask for as well, or points of its densities where they are
/// known. Of very many kinds outlines would take longer than a line.
enum class Shown { outline, points };

Shown shown_of(const Terms& terms) {
  constexpr std::size_t very_many_kinds = 100;
  return terms.size() > very_many_kinds ? Shown::points : Shown::outline;
}

/// -log |E e^{isz}| at the multiples of 1 / deviation and above, of outcomes of this mass in all, about their mean.
std::array<double, multiples.size()> nats_lost(const std::vector<LossCell>& outcomes, double mass, double mean,
                                               double deviation) {
  std::array<std::complex<double>, multiples.size()> sums{};
  for (const LossCell& cell : outcomes) {
    std::complex<double> turn = std::polar(1.0, multiples.front() / deviation * (cell.loss - mean));
    for (std::complex<double>& sum : sums) {
      sum += std::exp(cell.log_mass) * turn;
      turn *= turn;  // the next multiple is twice this one
    }
  }
  std::array<double, multiples.size()> nats{};
  double least = infinity;
  for (std::size_t i = multiples.size(); i-- > 0;)
    nats[i] = least = std::min(least, std::max(0.0, -std::log(std::abs(sums[i]) / mass)));
  return nats;
}

Decay decay_of(const DominatingPair& pair, Shown shown) {
  constexpr double log_negligible = -20, outcomes_of_a_density = 40;
  const bool by_law = shown == Shown::points && decays(pair) && has_analytic_law(pair);
  const auto law = by_law ? analytic_law(pair, log_negligible) : std::nullopt;
  const std::vector<LossCell> outcomes = law ? points_of(*law) : pair.outline();
  double mass = 0, mean = 0, square = 0;
  for (const LossCell& cell : outcomes) mass += std::exp(cell.log_mass), mean += std::exp(cell.log_mass) * cell.loss;
  mean /= mass;
  for (const LossCell& cell : outcomes) square += std::exp(cell.log_mass) * std::pow(cell.loss - mean, 2);
  Decay decay{.deviation = std::sqrt(square / mass), .outcomes = static_cast<double>(outcomes.size())};
  if (law)
    decay.outcomes =
        static_cast<double>(law->atoms.size()) + outcomes_of_a_density * static_cast<double>(law->densities.size());
  if (!decays(pair) || !(decay.deviation > 0)) return decay;
  decay.goes_on = !keeps_atoms(pair);
  decay.nats = nats_lost(outcomes, mass, mean, decay.deviation);
  return decay;
}

Decay known_decay(const PairPtr& pair, Shown shown) {
  static Remembered<Decay> by_outline, by_points;
  Remembered<Decay>& remembered = shown == Shown::outline ? by_outline : by_points;
  return remembered.of({{pair, 1}}, [&] { return decay_of(*pair, shown); });
}

double outcomes_of(const PairPtr& pair, Shown shown) {
  constexpr double of_a_body = 300;
  if (DiscreteGaussianPart::of(*pair)) return 1;
  return grained_law(*pair) ? of_a_body : known_decay(pair, shown).outcomes;
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
  const Shown shown = shown_of(terms);
  double variance = 0;
  for (const Term& term : terms)
    variance += static_cast<double>(term.count) * std::pow(known_decay(term.pair, shown).deviation, 2);
  return std::sqrt(variance);
}

double outcomes(const Terms& terms) {
  const Shown shown = shown_of(terms);
  double sum = 0;
  for (const Term& term : terms) sum += outcomes_of(term.pair, shown);
  return sum;
}

bool decays_within(const Terms& terms, double most_nodes, double enough_nats) {
  if (!may_decay(terms, most_nodes, enough_nats)) return false;
  const double s = most_nodes / (nodes_a_unit * deviation(terms));
  const Shown shown = shown_of(terms);
  double nats = 0;
  for (const Term& term : terms) nats += static_cast<double>(term.count) * known_decay(term.pair, shown).at(s);
  return nats >= enough_nats;
}

}  // namespace pld::contour
