#include "engines/contour/smoothed.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "core/side.hpp"
#include "core/work.hpp"
#include "engines/answer_width.hpp"
#include "engines/contour/contour.hpp"
#include "engines/contour/decay_estimate.hpp"
#include "numeric/normal_tail.hpp"
#include "numeric/roundings.hpp"
#include "pairs/gaussian_pair.hpp"
#include "pairs/one_lattice.hpp"
#include "pairs/rounded_total.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

Terms beside_gaussian(Terms terms, double mu) {
  terms.push_back({std::make_shared<GaussianPair>(mu), 1});
  return terms;
}

/// Whether setting a line up takes longer than its nodes.
bool is_of_many(const Terms& terms) {
  constexpr std::size_t many_kinds = 32;
  return terms.size() >= many_kinds;
}

double releases(const Terms& terms) {
  double sum = 0;
  for (const Term& term : terms) sum += static_cast<double>(term.count);
  return sum;
}

/// A profile is bounded by its chords between so many epsilons, the middle one that asked about.
constexpr std::size_t nodes = 5, middle = 2;

/// How often each node counts in a mean of chords over the losses of a Gaussian release.
struct ChordWeights {
  std::array<double, nodes> at{};  ///< each within `error`
  double log_below = 0;            ///< of the probability of what lies before the first node
  double error = 0;
};

/// Whether atoms lie at multiples of two distances: a lattice that fits one of them hardly misses the other.
bool two_lattices_hold(const Terms& terms) {
  std::set<double> spacings;
  for (const Term& term : terms) {
    const auto spacing = term.pair->spacing();
    if (spacing) spacings.insert(*spacing);
    if (!spacing && !contour::decays(*term.pair)) return false;
  }
  return spacings.size() <= 2;
}

/// The weights for nodes at a e^{step}, a Y the average, Y = e^{-loss} of a Gaussian release: E[Y] = 1, and log Y is
/// normal with mean -mu^2/2 and deviation mu.
ChordWeights chord_weights(const std::array<double, nodes>& steps, double mu) {
  const auto deviations = [&](double step) { return step / mu + mu / 2; };
  ChordWeights w;
  w.log_below = log_normal_tail(-deviations(steps.front())) * (1 - 16 * unit_roundoff) + 16 * unit_roundoff;
  w.at.back() = std::exp(log_normal_tail(deviations(steps.back())));
  double shortest = infinity;
  for (std::size_t k = 0; k + 1 < nodes; ++k) {
    const double length = steps[k + 1] - steps[k], from = deviations(steps[k]);
    const double mass = std::exp(log_normal_interval(from, length / mu));
    // E[Y; the interval] / Y at its left end, less the mass.
    const double rise = std::exp(log_normal_interval(from - mu, length / mu) - steps[k]) - mass;
    const double share = rise / std::expm1(length);
    w.at[k] += mass - share;
    w.at[k + 1] += share;
    shortest = std::min(shortest, length);
  }
  // Masses are right to 20 u each, one of them over Y, and are divided by a length.
  w.error = roundings(128, 1 / shortest) * std::exp(-steps.front());
  return w;
}

/// An end of log D in the middle from ends of log S at the nodes, S(a) = E[D(a Y)]: of delta the lower one, by a lower
/// bound in the middle and upper ones elsewhere; of 1 - delta the upper one, the other way round. `before` is what all
/// before the first node adds to `excess`.
double end_by_chords(const ChordWeights& w, const std::array<double, nodes>& log_values, double before, Side side) {
  const double here = log_values[middle], unknown = side == Side::lower ? -infinity : 0;
  if (here == -infinity) return here;
  // By chords of D, S <= w D + the other nodes' w S: told in units of S, less S times all weights.
  double excess = before;
  // Carries u of both logarithms that `before` is an exponential of, and its own roundings.
  double off = roundings(8, w.log_below, here) * std::fabs(before);
  for (std::size_t k = 0; k < nodes; ++k) {
    if (k == middle) continue;
    const double log_ratio = log_values[k] - here, rise = std::expm1(log_ratio);
    excess += w.at[k] * rise;
    off += (w.error + (16 + 2 * std::max(0.0, log_ratio)) * unit_roundoff) * std::fabs(rise);
  }
  if (!(off < infinity && w.at[middle] > 2 * w.error)) return unknown;
  const double sign = side == Side::lower ? 1 : -1;
  const double share = std::max(0.0, sign * excess + off) / (w.at[middle] - w.error) * (1 + 8 * unit_roundoff);
  const double moved = here + std::log1p(-sign * share) * (1 + 4 * unit_roundoff);
  if (side == Side::upper) return std::min(0.0, round_up(moved, 2));
  return share < 1 ? round_down(moved, 2) : unknown;
}

/// About log D in the middle: S exceeds D by a curvature that S itself shows.
double estimate_of(double here, double left, double right, double deviations) {
  const double share = (std::expm1(left - here) + std::expm1(right - here)) / 2 / (deviations * deviations);
  return share < 1 ? here + std::log1p(-share) : here;
}

/// Chords from the middle reach so many deviations: the lower bound is about as good as it gets.
constexpr double near = 2;

class SmoothedPiece final : public ProfilePiece {
 public:
  /// `log_most`: of what delta is at most, more than 0 where masses were rounded up.
  SmoothedPiece(PiecePtr smooth, double mu, double log_most)
      : smooth_(std::move(smooth)), mu_(mu), log_most_(log_most) {}

  [[nodiscard]] ProfileBracket at(double epsilon) const override {
    // The far nodes lie where what is beyond is no likelier than e^-30 delta.
    constexpr double spare_nats = 30, most_nats = 1000;
    ProfileBracket out = smooth_->at(epsilon);
    const double far = std::sqrt(2 * (spare_nats + std::min(most_nats, -out.log_delta.lower)));
    const std::array<double, nodes> deviations{-far, -near, 0, near, far};
    std::array<ProfileBracket, nodes> found;
    std::array<double, nodes> steps{}, log_delta{}, log_complement{};
    for (std::size_t k = 0; k < nodes; ++k) {
      const double there = epsilon + deviations[k] * mu_;
      steps[k] = there - epsilon;
      found[k] = k == middle ? out : smooth_->at(there);
      log_delta[k] = k == middle ? out.log_delta.lower : found[k].log_delta.upper;
      log_complement[k] = k == middle ? out.log_complement.upper : found[k].log_complement.lower;
    }
    const ChordWeights w = chord_weights(steps, mu_);
    const auto estimate = [&](const auto& log) {
      const double value = estimate_of(log(found[2]).estimate, log(found[1]).estimate, log(found[3]).estimate, near);
      return std::clamp(value, log(out).lower, log(out).upper);
    };
    // There D is at most e^log_most, and 1 - D at least 1 less that.
    const double most = std::exp(w.log_below + log_most_ - log_delta[middle]);
    const double beyond_1 = log_most_ > 0 ? std::expm1(log_most_) * std::exp(-log_complement[middle]) : 0;
    const double least = -std::exp(w.log_below) * (1 + beyond_1);
    out.log_delta.lower = end_by_chords(w, log_delta, most, Side::lower);
    out.log_complement.upper = end_by_chords(w, log_complement, least, Side::upper);
    out.log_delta.estimate = estimate([](const ProfileBracket& p) -> const Bracket& { return p.log_delta; });
    out.log_complement.estimate = estimate([](const ProfileBracket& p) -> const Bracket& { return p.log_complement; });
    return out;
  }
  [[nodiscard]] double centre() const override { return smooth_->centre(); }
  [[nodiscard]] std::size_t size() const override { return smooth_->size(); }

  /// How many times wider it is there than asked.
  [[nodiscard]] double excess_width(const PieceAsk& ask) const {
    const double epsilon = ask.log_delta ? centre() : ask.epsilon;
    const ProfileBracket here = at(epsilon);
    const bool by_delta = here.log_delta.estimate < here.log_complement.estimate;
    const double width = (by_delta ? here.log_delta : here.log_complement).width();
    if (!ask.log_delta) return width / ask.width;
    const ProfileBracket next = smooth_->at(epsilon + mu_);
    const double slope = std::fabs(by_delta ? next.log_delta.estimate - here.log_delta.estimate
                                            : next.log_complement.estimate - here.log_complement.estimate) /
                         mu_;
    return width / slope / enough_width(epsilon, ask.width);
  }

 private:
  PiecePtr smooth_;
  double mu_, log_most_;
};

}  // namespace

bool smoothed_takes(const Terms& terms) {
  return !terms.empty() && contour_takes(beside_gaussian(terms, 1)) && total_spread(terms).p < infinity;
}

bool smoothing_pays(const Terms& terms, double tolerance) {
  if (!smoothed_takes(terms)) return false;
  // Of atoms beside a density few kinds are soon on lattices fine enough for that.
  constexpr double coarse = 1e-6;
  const bool beside_densities = is_of_many(terms) && tolerance >= coarse;
  double of_atoms = 0;
  for (const Term& term : terms)
    if (beside_densities ? contour::keeps_atoms(*term.pair) : !contour::decays(*term.pair))
      of_atoms += static_cast<double>(term.count);
  // A lattice of all losses rounds none. Of few releases a lattice is coarse, but for atoms that lie anywhere; of many
  // kinds each has its own.
  constexpr double few = 2, many = 2.5e5, hundred = 100;
  const double enough = releases(terms) > of_atoms ? many * tolerance / static_cast<double>(terms.size()) : few;
  return !on_one_lattice(terms) && of_atoms >= (two_lattices_hold(terms) ? std::max(enough, hundred) : enough);
}

bool smoothing_takes_less(const Terms& terms, double tolerance) {
  constexpr double coarse = 0.01;
  const auto keeps_atoms = [](const Term& term) { return contour::keeps_atoms(*term.pair); };
  return tolerance > coarse && std::all_of(terms.begin(), terms.end(), keeps_atoms) && smoothing_pays(terms, tolerance);
}

PiecePtr smoothed_piece(const Terms& terms, const PieceAsk& ask, Effort effort) {
  constexpr int attempts = 6;
  constexpr double spare = 0.7, most_steps = 1000;
  constexpr double fewest_nodes = 300, hardly_wider = 1.5;
  const auto kinds = static_cast<double>(terms.size() + 1);
  const double outcomes = contour::outcomes(terms);
  if (effort == Effort::slight && fewest_nodes * outcomes > slight_work(releases(terms), kinds, ask.width))
    return nullptr;
  // To cut a law, to place a line and to draw it, alone by what the Gaussian release leaves.
  constexpr double points_an_outcome = 120, points_a_node = 0.2;
  const double most_nodes = 50 / std::sqrt(ask.width);
  if ((points_an_outcome + points_a_node * most_nodes) * outcomes > Work::left()) return nullptr;
  const double deviation = contour::deviation(terms);
  // Takes the width of an epsilon for some five times the square of mu, in deviations, where another line takes long.
  const double deviations = is_of_many(terms) ? std::clamp(0.4 * std::sqrt(ask.width), 1.0 / 256, 1.0 / 8) : 1.0 / 8;
  double mu = deviation > 0 ? std::min(1.0, deviations * deviation) : 1.0 / 8;
  PiecePtr best;
  std::optional<double> made;  // the smallest mu that served
  double refused = 0;          // the largest that took too much work
  for (int attempt = 0; attempt < attempts; ++attempt) {
    PiecePtr line = contour_piece_for(beside_gaussian(terms, mu), ask, effort);
    if (line) {
      const auto piece = std::make_shared<const SmoothedPiece>(std::move(line), mu, total_spread(terms).p);
      const double excess = piece->excess_width(ask);
      if (!std::isnan(excess)) best = piece;  // else the line tells nothing: to search it for an end takes long
      made = mu;
      if (excess <= 1) break;
      // The width is as the square of mu.
      mu *= std::isfinite(excess) ? std::max(1 / most_steps, std::sqrt(spare / excess)) : 0.25;
    } else {
      refused = mu;
    }
    if (!made || *made <= hardly_wider * refused) break;
    // Halfway in the logarithm to what was refused, where less would be.
    mu = std::max(mu, std::sqrt(*made * refused));
  }
  return best;
}

}  // namespace pld
