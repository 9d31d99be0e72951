#include "pld/readout/divergence.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "account/all_neighbours.hpp"
#include "account/directed_run.hpp"
#include "core/standard_arithmetic.hpp"
#include "pairs/pair_divergence.hpp"
#include "pairs/renyi_curve.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"

namespace pld {
namespace {

/// A release's divergence: what is known apart from its pair, where anything is, else the pair's.
Bracket renyi_of(const DominatingPair& pair, double order, double tolerance) {
  const RenyiCurve* curve = pair.renyi_curve();
  if (!curve) return renyi_of_pair(pair, order, tolerance);
  if (order > curve->highest_order) return {infinity, infinity, infinity};
  // D of an order of 1 and below is no more than that of any above.
  const double least_order = std::nextafter(1.0, infinity), known = curve->at(std::max(order, least_order));
  const Bracket found{round_down(known, 8), known, round_up(known, order > 1 ? 0 : 4)};
  if (order > 1) return found;
  const Bracket own = renyi_of_pair(pair, order, tolerance);
  return own.upper < found.upper ? own : found;
}

Bracket renyi_in(const DirectedRun& run, double order, double tolerance) {
  Bracket sum{0, 0, 0};
  for (const Term& term : run.terms) {
    const auto count = static_cast<double>(term.count);
    const Bracket one = renyi_of(*term.pair, order, tolerance);
    sum = {sum.lower + count * one.lower, sum.estimate + count * one.estimate, sum.upper + count * one.upper};
  }
  const double roundings = 2 * static_cast<double>(run.terms.size());
  return {std::max(0.0, round_down(sum.lower, roundings)), sum.estimate, round_up(sum.upper, roundings)};
}

Bracket max_in(const DirectedRun& run) {
  if (run.infinity_mass.upper > 0) return {infinity, infinity, infinity};
  return run.terms.empty() ? Bracket{0, 0, 0} : run.largest_loss;
}

template <class Divergence>
Bracket worst_of_pairs(const Composition& composition, DirectionChoice choice, const Divergence& divergence) {
  if (choice == DirectionChoice::add) return divergence(run_in(composition, Direction::add));
  const Bracket remove = divergence(run_in(composition, Direction::remove));
  if (choice == DirectionChoice::remove || symmetric(composition)) return remove;
  const Bracket add = divergence(run_in(composition, Direction::add));
  return {std::max(remove.lower, add.lower), std::max(remove.estimate, add.estimate),
          std::max(remove.upper, add.upper)};
}

template <class Divergence>
Bracket worst_of(const Composition& composition, DirectionChoice choice, const Divergence& divergence) {
  return rising_over_neighbours(composition,
                                [&](const Composition& c) { return worst_of_pairs(c, choice, divergence); });
}

void require_tolerance(double tolerance) {
  require(tolerance > 0 && tolerance < infinity, "divergence", "tolerance", tolerance, "tolerance > 0 and finite");
}

}  // namespace

Bracket renyi_divergence(const Composition& composition, double order, DirectionChoice direction, double tolerance) {
  const StandardArithmetic arithmetic;
  require(order >= 1e-3, "divergence", "order", order, "order >= 0.001, or inf");
  require_tolerance(tolerance);
  if (order == infinity) return max_divergence(composition, direction);
  return worst_of(composition, direction, [&](const DirectedRun& run) { return renyi_in(run, order, tolerance); });
}

Bracket kl_divergence(const Composition& composition, DirectionChoice direction, double tolerance) {
  const StandardArithmetic arithmetic;
  return renyi_divergence(composition, 1, direction, tolerance);
}

Bracket max_divergence(const Composition& composition, DirectionChoice direction) {
  const StandardArithmetic arithmetic;
  return worst_of(composition, direction, max_in);
}

Bracket alpha_divergence(const Composition& composition, double alpha, DirectionChoice direction, double tolerance) {
  const StandardArithmetic arithmetic;
  require(alpha >= 1e-3 && alpha < infinity, "divergence", "alpha", alpha, "0.001 <= alpha < inf");
  const Bracket renyi = renyi_divergence(composition, alpha, direction, tolerance);
  if (alpha == 1) return renyi;
  const auto value = [&](double d) { return std::expm1((alpha - 1) * d) / (alpha * (alpha - 1)); };
  const auto units = [&](double d) { return 8 + 4 * std::fabs((alpha - 1) * d); };
  return {std::max(0.0, round_down(value(renyi.lower), std::isfinite(renyi.lower) ? units(renyi.lower) : 8)),
          value(renyi.estimate), round_up(value(renyi.upper), std::isfinite(renyi.upper) ? units(renyi.upper) : 8)};
}

Bracket hellinger_distance(const Composition& composition, double tolerance) {
  const StandardArithmetic arithmetic;
  const Bracket renyi = renyi_divergence(composition, 0.5, DirectionChoice::remove, tolerance);
  const auto value = [](double d) { return std::sqrt(-std::expm1(-d / 2)); };
  return {std::max(0.0, round_down(value(renyi.lower), 8)), value(renyi.estimate),
          std::min(1.0, round_up(value(renyi.upper), 8))};
}

}  // namespace pld
