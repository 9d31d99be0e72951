#include "readout/composition_divergence.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "account/directed_run.hpp"
#include "core/work.hpp"
#include "engines/closed_form/closed_form.hpp"
#include "pairs/least_renyi.hpp"
#include "pairs/renyi_curve.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// A pair's divergence; no more than that there is one where it takes more work than is left.
Bracket renyi_of(PairDivergence& divergence, double order, double tolerance) {
  return if_affordable([&] { return divergence.renyi(order, tolerance); }, {0, 0, infinity});
}

/// A release's divergence: what is known apart from its pair, where anything is, else the pair's.
Bracket renyi_of(const DominatingPair& pair, PairDivergence& divergence, double order, double tolerance) {
  const RenyiCurve* curve = pair.renyi_curve();
  if (!curve) return renyi_of(divergence, order, tolerance);
  if (order > curve->highest_order) return {infinity, infinity, infinity};
  // D of an order of 1 and below is no more than that of any above.
  const double least_order = std::nextafter(1.0, infinity), known = curve->at(std::max(order, least_order));
  const Bracket found{round_down(known, 8), known, round_up(known, order > 1 ? 0 : 4)};
  if (order > 1) return found;
  const Bracket own = renyi_of(divergence, order, tolerance);
  return own.upper < found.upper ? own : found;
}

bool has_curve(const Release& release) { return release.mechanism.pair(Direction::remove)->renyi_curve(); }

/// The releases of which no divergences are known apart from their pairs; nothing where these are all.
std::optional<Composition> told_by_pairs(const Composition& composition) {
  const auto& releases = composition.releases();
  if (std::none_of(releases.begin(), releases.end(), has_curve)) return std::nullopt;
  Composition out(composition.neighbours());
  for (const Release& release : releases)
    if (!has_curve(release)) out.add(release.mechanism, release.count);
  return out;
}

}  // namespace

CompositionDivergence::CompositionDivergence(const Composition& composition, DirectionChoice direction) {
  const auto by_pairs = told_by_pairs(composition);
  for (const Direction one : directions(composition, direction)) {
    Directed& here = directed_.emplace_back(
        Directed{.terms = join_gaussians(terms_in(composition, one)),
                 .is_infinite = run_in(by_pairs ? *by_pairs : composition, one).infinity_mass.lower > 0,
                 .of_terms = {}});
    for (const Term& term : here.terms) here.of_terms.emplace_back(*term.pair);
  }
}

Bracket CompositionDivergence::renyi(double order, double tolerance) {
  Bracket worst{0, 0, 0};
  for (auto& [terms, is_infinite, of_terms] : directed_) {
    if (order >= 1 && is_infinite) return {infinity, infinity, infinity};
    Bracket sum{0, 0, 0};
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const auto count = static_cast<double>(terms[i].count);
      const Bracket one = renyi_of(*terms[i].pair, of_terms[i], order, tolerance);
      sum = {sum.lower + count * one.lower, sum.estimate + count * one.estimate, sum.upper + count * one.upper};
    }
    const double roundings = 2 * static_cast<double>(terms.size());
    worst = {std::max(worst.lower, round_down(sum.lower, roundings)), std::max(worst.estimate, sum.estimate),
             std::max(worst.upper, round_up(sum.upper, roundings))};
  }
  return worst;
}

double CompositionDivergence::least(double order) const {
  double worst = 0;
  for (const auto& [terms, is_infinite, of_terms] : directed_) {
    double sum = 0;
    for (const Term& term : terms) {
      const RenyiCurve* curve = term.pair->renyi_curve();
      const double one = !curve               ? least_renyi(*term.pair, order)
                         : curve->exact_slope ? round_down(curve->at(order), 8)
                                              : 0;
      sum += static_cast<double>(term.count) * one;
    }
    worst = std::max(worst, round_down(sum, 2 * static_cast<double>(terms.size())));
  }
  return worst;
}

}  // namespace pld
