#pragma once

#include <algorithm>
#include <cmath>

#include "lattice/lattice_composer.hpp"
#include "pld/core/rounding.hpp"

namespace pld {

/// However wide a bracket of epsilon may be, one tilt serves no wider a range of log delta.
constexpr double widest_budget = 1;

/// For a try, some hundredths of a second.
constexpr double points_of_a_try = 1.5e6;

/// How good a piece is.
struct Evaluation {
  double width = 0;      ///< over the tolerance: at most 1 is good
  double round_off = 0;  ///< the part of `width` from noise
};

/// Refines until the width that `evaluate(budget)` returns is within the tolerance, no finer lattice can mend it, or
/// the budget is spent.
template <class Evaluate>
void refine(LatticeBudget& budget, const Evaluate& evaluate) {
  constexpr double least_gain = 0.9;
  double power = 1;  // width ~ log_width^power: 1 for O(spacing^2), 1/2 where atoms miss the lattice
  double last_width = 0, last_budget = 0;
  for (int attempt = 0; attempt < 12; ++attempt) {
    const double points_before = budget.points;
    const Evaluation now = evaluate(budget);
    if (now.width <= 1) return;
    // How much wider the finest lattice is that the points left afford, where each point costs so many times as much.
    // Points grow at most as the root of how much finer it is.
    const auto affordable = [&](double cost) {
      return std::pow(cost * (points_before - budget.points) / (0.9 * budget.points), 2);
    };
    const bool no_width = !(now.width < infinity);
    const bool noisy = now.round_off > 0.3, mostly_noise = no_width ? noisy : now.round_off > 0.7 * now.width;
    if (noisy && budget.precision == Precision::standard) {
      budget.precision = Precision::extended;
      if (mostly_noise) {
        budget.log_width *= std::max(1.0, affordable(extended_cost));
        continue;
      }
    } else if (mostly_noise) {
      return;
    }
    if (budget.at_limit) return;
    if (no_width) {
      budget.log_width *= 0.1;
      continue;
    }
    if (last_width > now.width)
      power = std::clamp(std::log(last_width / now.width) / std::log(last_budget / budget.log_width), 0.4, 1.0);
    last_width = now.width;
    last_budget = budget.log_width;
    // Where what is affordable is no gain, points may yet grow less.
    const double finest = affordable(1), wanted = std::max(1e-3, std::pow(0.7 / now.width, 1 / power));
    budget.log_width *= finest < least_gain ? std::max(wanted, finest) : wanted;
  }
}

/// What is refined from a width on; where most of the points are spent before there are both ends, from wider ones. A
/// quick try is not repeated.
template <class Evaluate>
void refine_from(double log_width, double& points, const Evaluate& evaluate) {
  constexpr double coarser = 3, part = 0.85;
  bool found = false;
  const auto noted = [&](LatticeBudget& left) {
    const Evaluation now = evaluate(left);
    found = found || now.width < infinity;
    return now;
  };
  for (double width = log_width; !found; width *= coarser) {
    const bool last = points <= points_of_a_try || width >= widest_budget;
    LatticeBudget budget{.log_width = std::min(width, widest_budget), .points = last ? points : part * points};
    const double others = points - budget.points;
    try {
      refine(budget, noted);
      found = true;
    } catch (const WorkSpent&) {
      found = found || last;
    }
    points = others + budget.points;
  }
}

/// `act(points)` with a few of the points.
template <class Act>
auto with_few(double& points, const Act& act) {
  double few = std::min(points, points_of_a_try);
  points -= few;
  auto found = act(few);
  points += few;
  return found;
}

}  // namespace pld
