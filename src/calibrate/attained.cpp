#include "calibrate/attained.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "bounds/overloaded.hpp"
#include "calibrate/gaussian_guarantees.hpp"
#include "calibrate/test_power.hpp"

namespace pld {

namespace {

Bracket log_of(const Bracket& b) { return {std::log(b.lower), std::log(b.estimate), std::log(b.upper)}; }

/// Those whose worst is asked for: one where both are alike.
std::vector<Direction> directions(const Composition& composition, DirectionChoice choice) {
  if (choice == DirectionChoice::add) return {Direction::add};
  const auto& releases = composition.releases();
  const bool alike = std::all_of(releases.begin(), releases.end(), [](const Release& r) { return r.mechanism.symmetric(); });
  if (choice == DirectionChoice::remove || alike) return {Direction::remove};
  return {Direction::remove, Direction::add};
}

}  // namespace

Attained GoalReader::delta_at(const Composition& composition, double epsilon, double tolerance) const {
  const DeltaAnswer answer = delta(
      composition,
      {.epsilon = epsilon, .tolerance = tolerance, .direction = query_.direction, .engine = query_.engine});
  return {answer, answer.log_delta, answer.converged};
}

Attained GoalReader::power(const Composition& composition, const TestPower& goal, double tolerance) {
  Attained worst{.value = {0, 0, 0}, .log_value = {}};
  for (const Direction direction : directions(composition, query_.direction)) {
    const auto found = best_epsilon_.find({goal.fpr, direction});
    const auto near = found == best_epsilon_.end() ? std::nullopt : std::optional(found->second);
    const BestTest test = best_test(composition, goal.fpr, {direction, query_.engine, tolerance}, near);
    best_epsilon_[{goal.fpr, direction}] = test.epsilon;
    worst.value.lower = std::max(worst.value.lower, test.power.lower);
    worst.value.estimate = std::max(worst.value.estimate, test.power.estimate);
    worst.value.upper = std::max(worst.value.upper, test.power.upper);
    worst.converged = worst.converged && test.converged;
  }
  worst.log_value = log_of(worst.value);
  return worst;
}

Attained GoalReader::read(const Composition& composition, const Goal& goal, double tolerance) {
  const auto sum = [](const Bracket& total) { return Attained{total, log_of(total)}; };
  return std::visit(
      bounds::Overloaded{[&](const Target& g) { return delta_at(composition, g.epsilon, tolerance); },
                         [&](const Advantage&) { return delta_at(composition, 0, tolerance); },
                         [&](const TestPower& g) { return power(composition, g, tolerance); },
                         [&](const GaussianDp&) { return sum(gaussian_dp_mu(composition)); },
                         [&](const ZeroConcentratedDp&) { return sum(zero_concentrated_rho(composition)); }},
      goal);
}

}  // namespace pld
