#include "engines/closed_form/sorted_outcomes.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/work.hpp"
#include "numeric/log_bound.hpp"
#include "numeric/log_sum.hpp"
#include "pairs/one_lattice.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

constexpr std::size_t most_outcomes = 1 << 18;
constexpr double most_releases = 1e5;

/// Of listing it, and of its place and its sums among the others.
constexpr double points_an_outcome = 40;

/// Next to nothing beside any delta that is a double, beside one of 1e-30, and beside one of 1e-9.
constexpr double log_least_masses[] = {-690, -120, -50};

/// About how many outcomes of a release are not rarer than that: as many as a normal law's ellipsoid holds, or a
/// Poisson law's where few are expected.
double outcomes_about(const std::vector<LossCell>& atoms, double count, double log_least) {
  std::vector<double> widths;
  for (const LossCell& atom : atoms) {
    const double mass = std::exp(atom.log_mass), mean = count * mass;
    const double normal = std::sqrt(-8 * log_least * mean * std::max(0.0, 1 - mass));
    const double poisson = -log_least / (1 + std::log1p(-log_least / mean));
    widths.push_back(std::min(count, std::max(normal, poisson)) + 1);
  }
  std::sort(widths.begin(), widths.end());
  double product = 1;
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) product *= widths[i] / (1 + 0.3 * static_cast<double>(i));
  return product;
}

double outcomes_about(const Terms& terms, double log_least) {
  double product = 1;
  for (const Term& t : terms)
    product *= outcomes_about(t.pair->atoms({-infinity, infinity}), static_cast<double>(t.count), log_least);
  return product;
}

}  // namespace

bool SortedOutcomes::takes(const Terms& terms) {
  constexpr std::size_t most_atoms = 8;
  const auto has_few = [](const Term& t) {  // an outline tells quickly where atoms are far too many
    return t.pair->outline().size() <= most_atoms && t.pair->atoms({-infinity, infinity}).size() <= most_atoms;
  };
  if (!have_outcomes(terms, most_releases) || !std::all_of(terms.begin(), terms.end(), has_few)) return false;
  return !on_one_lattice(terms) &&
         outcomes_about(terms, std::end(log_least_masses)[-1]) <= static_cast<double>(most_outcomes);
}

std::optional<SortedOutcomes> SortedOutcomes::of(const Terms& terms) {
  for (const double log_least : log_least_masses) {
    const double most = std::min(static_cast<double>(most_outcomes), Work::left() / points_an_outcome);
    if (outcomes_about(terms, log_least) > most) continue;
    auto list = list_outcomes(terms, log_least, static_cast<std::size_t>(most));
    Work::note(points_an_outcome * (list ? static_cast<double>(list->outcomes.size()) : most));
    if (list) return SortedOutcomes(std::move(*list), log_infinity_of(terms));
  }
  return std::nullopt;
}

SortedOutcomes::SortedOutcomes(OutcomeList list, const Bracket& log_infinity)
    : left_out_(list.left_out), log_infinity_(log_infinity) {
  nodes_.reserve(list.outcomes.size());
  for (const Outcome& o : list.outcomes) {
    const auto loss = static_cast<double>(o.loss), mass = static_cast<double>(exp(o.log_mass));
    nodes_.push_back({loss, 0, mass, 0});
    loss_doubt_ = std::max(loss_doubt_, o.loss_doubt + 2 * unit_roundoff * std::fabs(loss));
    mass_doubt_ = std::max(mass_doubt_, o.mass_doubt + 4 * unit_roundoff);
  }
  std::sort(nodes_.begin(), nodes_.end(), [](const Node& a, const Node& b) { return a.loss < b.loss; });
  double below = 0;
  for (Node& node : nodes_) {
    node.below = below;
    below += node.q_mass;
  }
  // From the right, sums of positive terms: with h the distance of two losses, delta(z) = delta(z + h) +
  // (1 - e^-h) q(z + h), and q(z) = p(z) + e^-h q(z + h).
  for (std::size_t i = nodes_.size(); i-- > 1;) {
    const Node& next = nodes_[i];
    Node& here = nodes_[i - 1];
    const double h = next.loss - here.loss;
    here.profile = next.profile - std::expm1(-h) * next.q_mass;
    here.q_mass += std::exp(-h) * next.q_mass;
  }
}

std::size_t SortedOutcomes::first_above(double epsilon) const {
  const auto found =
      std::partition_point(nodes_.begin(), nodes_.end(), [&](const Node& node) { return node.loss <= epsilon; });
  return static_cast<std::size_t>(found - nodes_.begin());
}

/// Bounds what a sum of positive terms is off by, each of which took part in 8 roundings a node at most. What losses
/// are rounded by, and so their distances, is in the loss doubt.
double SortedOutcomes::relative_doubt() const {
  return mass_doubt_ + 8 * (static_cast<double>(nodes_.size()) + 8) * unit_roundoff;
}

double SortedOutcomes::moved(double log_value, Side side) const {
  return LogBound(0, side).times(log_value).widened(relative_doubt()).log_probability();
}

double SortedOutcomes::log_delta(double epsilon, Side side) const {
  const bool upper = side == Side::upper;
  const double log_rest = log_complement(epsilon, opposite(side));
  if (log_rest < -1) {
    if (!upper) return log_one_minus_exp_below(log_rest);
    const double log = log_one_minus_exp(log_rest);
    return std::min(0.0, log * (1 - 8 * unit_roundoff) + smallest_steps(log));
  }
  const double at = epsilon + (upper ? -1 : 1) * (loss_doubt_ + 2 * unit_roundoff * std::fabs(epsilon));
  const std::size_t i = first_above(at);
  double sum = upper ? left_out_ : 0;
  if (i < nodes_.size()) sum += nodes_[i].profile - std::expm1(at - nodes_[i].loss) * nodes_[i].q_mass;
  return moved(log_sum(std::log(sum), upper ? log_infinity_.upper : log_infinity_.lower), side);
}

double SortedOutcomes::log_complement(double epsilon, Side side) const {
  const bool upper = side == Side::upper;
  const double at = epsilon + (upper ? 1 : -1) * (loss_doubt_ + 2 * unit_roundoff * std::fabs(epsilon));
  const std::size_t i = first_above(at);
  double sum = upper ? left_out_ : 0;
  if (i < nodes_.size())
    sum += nodes_[i].below + std::exp(at - nodes_[i].loss) * nodes_[i].q_mass;
  else if (!nodes_.empty())
    sum += nodes_.back().below + nodes_.back().q_mass;
  return moved(std::log(sum), side);
}

}  // namespace pld
