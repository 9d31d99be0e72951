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

/// Which lattice is asked for next: as fine as the tolerance needs, or as the points left afford.
class Refinement {
 public:
  Refinement(double log_width, double points)
      : budget_{.log_width = std::min(log_width, widest_budget), .points = points},
        only_a_try_(points <= points_of_a_try) {}

  [[nodiscard]] LatticeBudget& budget() { return budget_; }

  /// After what the last one came to, of which `before` were the points: whether another is of use.
  [[nodiscard]] bool after(const Evaluation& now, double before) {
    constexpr double least_gain = 0.9;
    if (now.width <= 1) return false;
    // How much wider the finest lattice is that the points left afford, where each point costs so many times as much.
    // Points grow at most as the root of how much finer it is.
    const auto affordable = [&](double cost) {
      return std::pow(cost * (before - budget_.points) / (0.9 * budget_.points), 2);
    };
    const bool no_width = !(now.width < infinity);
    if (no_width) widest_without_ = std::max(widest_without_, budget_.log_width);
    const bool noisy = now.round_off > 0.3, mostly_noise = no_width ? noisy : now.round_off > 0.7 * now.width;
    if (noisy && budget_.precision == Precision::standard) {
      budget_.precision = Precision::extended;
      if (mostly_noise) {
        budget_.log_width *= std::max(1.0, affordable(extended_cost));
        return true;
      }
    } else if (mostly_noise) {
      return false;
    }
    if (budget_.at_limit) return false;
    if (no_width) {
      budget_.log_width *= 0.1;
      return true;
    }
    if (last_width_ > now.width)
      power_ = std::clamp(std::log(last_width_ / now.width) / std::log(last_ / budget_.log_width), 0.4, 1.0);
    last_width_ = now.width;
    last_ = budget_.log_width;
    // Where what is affordable is no gain, points may yet grow less.
    const double finest = affordable(1), wanted = std::max(1e-3, std::pow(0.7 / now.width, 1 / power_));
    budget_.log_width *= finest < least_gain ? std::max(wanted, finest) : wanted;
    return true;
  }

  /// After one that takes more points than are left: whether a coarser one is of use. A quick try is not repeated.
  [[nodiscard]] bool coarser() {
    constexpr double factor = 3;
    const double width = factor * std::max(budget_.log_width, widest_without_);
    const bool no_finer = last_ > 0 && budget_.precision == Precision::standard && width > last_ / factor;
    if (only_a_try_ || budget_.log_width >= widest_budget || no_finer) return false;
    budget_.log_width = std::min(width, widest_budget);
    return true;
  }

 private:
  LatticeBudget budget_;
  bool only_a_try_;
  double power_ = 1;                  ///< width ~ log_width^power: 1 for O(spacing^2), 1/2 where atoms miss the lattice
  double last_width_ = 0, last_ = 0;  ///< of the last one that had both ends, and the log_width of its budget
  double widest_without_ = 0;         ///< of a budget whose lattice did not have them
};

/// Refines what `evaluate(budget)` makes until its width is within the tolerance, no finer lattice can mend it, or the
/// points are spent, which it takes its own off.
template <class Evaluate>
void refine(double log_width, double& points, const Evaluate& evaluate) {
  constexpr int most = 12;
  Refinement next(log_width, points);
  bool again = true;
  for (int evaluations = 0; again && evaluations < most;) {
    const double before = next.budget().points;
    try {
      again = next.after(evaluate(next.budget()), before);
      ++evaluations;
    } catch (const WorkSpent&) {
      again = next.coarser();
    }
  }
  points = next.budget().points;
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
