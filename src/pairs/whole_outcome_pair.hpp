#pragma once

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// The first whole number from -end to end at which `excess`, which rises, is above 0; -inf where it is at -end, inf
/// where it is not at end. Searched from `near`, by squares of distances first. Where doubles are no longer 1 apart, to
/// a few units of round-off.
template <class Excess>
double first_outcome(double near, double end, const Excess& excess) {
  constexpr double farthest = 4e305;  // the log of what lies beyond is below every double
  constexpr double growth = 16;
  end = std::min(end, farthest);
  // The solver stops where one is 0. It multiplies them by outcomes, and divides by their differences.
  constexpr double solvable = 1e100;
  const auto miss = [&](double x) {
    constexpr double least = 1e-300, most = solvable;
    const double found = excess(std::floor(x));
    return found > 0 ? std::clamp(found, least, most) : -std::fmax(least, std::fmin(most, -found));
  };
  double low = near, high = near, at_low = miss(near), at_high = at_low;
  for (double step = 1; at_low > 0; step *= std::max(step, growth)) {
    if (low <= -end) return -infinity;
    high = low, at_high = at_low, low = std::max(low - step, -end), at_low = miss(low);
  }
  for (double step = 1; !(at_high > 0); step *= std::max(step, growth)) {
    if (high >= end) return infinity;
    low = high, at_low = at_high, high = std::min(high + step, end), at_high = miss(high);
  }
  const auto are_next = [](double a, double b) {
    return std::floor(b) - std::floor(a) <= 1 || b - a <= 4 * unit_roundoff * std::fabs(b);
  };
  const auto look = [&](double x) {
    const double found = miss(x);
    (found > 0 ? high : low) = x, (found > 0 ? at_high : at_low) = found;
  };
  const auto within_an_octave = [&] {
    const double a = std::fabs(low - near), b = std::fabs(high - near);
    return std::max(a, b) <= 2 * std::min(a, b);
  };
  while (!are_next(low, high) && !within_an_octave()) {
    const double away = std::sqrt(std::fabs(low - near)) * std::sqrt(std::fabs(high - near));
    look(std::clamp(std::floor(low < near ? near - away : near + away), low + 1, high - 1));
  }
  if (!are_next(low, high) && std::max(-low, high) < solvable) {
    std::uintmax_t most_steps = 40;
    std::tie(low, high) = boost::math::tools::toms748_solve(miss, low, high, at_low, at_high, are_next, most_steps);
    low = std::floor(low), high = std::floor(high);
  }
  while (!are_next(low, high)) look(std::floor(low + (high - low) / 2));
  return high;
}

/// Outcomes of less mass, in nats below 1, may count as one at either end: bounds are looser for deltas below e^-50000
/// only (10^-21000; 1e6 releases at 1e-300 are far from it).
constexpr double countable_depth = 50000;

/// From which outcome on both laws have less than e^log_mass in all, to a quarter and no further than `end`; `from(x)`
/// has all from x on, and `at(x)`, which costs less and is asked first, x alone. Single outcomes between 0 and a large
/// sensitivity may have less than those beyond.
template <class At, class From>
double first_light(double end, double log_mass, const At& at, const From& from) {
  double x = 1;
  const auto is_light = [&](const LossCell& some) { return std::max(some.log_mass, some.log_q_mass) <= log_mass; };
  while (x < end && !(is_light(at(x)) && is_light(from(x)))) x = std::ceil(1.25 * x);
  return x;
}

/// Appends a cell for each interval of losses between consecutive edges: `between(first, last)` has the outcomes from
/// first to before last, `first_above(loss)` tells the first one with a larger loss. An outcome's own loss decides, so
/// that each counts in one cell.
template <class FirstAbove, class Between>
void append_outcome_cells(std::span<const double> edges, const FirstAbove& first_above, const Between& between,
                          std::vector<LossCell>& out) {
  double first = first_above(edges.front());
  for (const double edge : edges.subspan(1)) {
    const double last = std::max(first, first_above(edge));
    out.push_back(first < last ? between(first, last) : LossCell{});
    first = last;
  }
}

/// A pair of laws on the whole numbers, X + s and X with X symmetric and log-concave, outcome by outcome. Outcomes may
/// be any whole numbers. Where they lie too close to count, cells tell them as they do a density: has_density() then.
class WholeOutcomePair : public DominatingPair {
 public:
  [[nodiscard]] bool has_density() const override { return false; }
  void cells(std::span<const double>, std::vector<LossCell>&) const override {}

  /// All outcomes from `first` to before `last`, which may be infinite; first < last. Domain: has_density().
  [[nodiscard]] virtual LossCell between(double, double) const { return {}; }

  /// Each outcome from `first` to before `last`, as at() has it.
  [[nodiscard]] virtual std::vector<LossCell> outcomes(double first, double last) const {
    std::vector<LossCell> all;
    for (double x = first; x < last; ++x) all.push_back(at(x));
    return all;
  }

  /// One outcome, all from one on, all up to one.
  [[nodiscard]] virtual LossCell at(double x) const = 0;
  [[nodiscard]] virtual LossCell from(double x) const = 0;
  [[nodiscard]] virtual LossCell up_to(double x) const = 0;

  /// X moved so many times as far against X, which remembers masses together with this pair; null where that is another
  /// kind of pair.
  [[nodiscard]] virtual std::shared_ptr<const WholeOutcomePair> moved(double) const { return nullptr; }

  /// The loss is the same from this outcome on.
  [[nodiscard]] virtual double flat_from() const { return infinity; }
};

}  // namespace pld
