#include "calibrate/attained.hpp"

#include <algorithm>
#include <cmath>

#include "account/directed_run.hpp"
#include "account/larger_of.hpp"
#include "bounds/overloaded.hpp"
#include "calibrate/gaussian_guarantees.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "pld/readout/concentrated.hpp"
#include "pld/readout/trade_off.hpp"

namespace pld {

namespace {

Bracket log_of(const Bracket& b) { return {std::log(b.lower), std::log(b.estimate), std::log(b.upper)}; }

}  // namespace

Attained GoalReader::delta_at(const Composition& composition, double epsilon, double tolerance) const {
  const DeltaAnswer answer =
      delta(composition,
            {.epsilon = epsilon, .tolerance = tolerance, .direction = query_.direction, .engine = query_.engine});
  return {answer, answer.log_delta, answer.converged};
}

Attained GoalReader::power(const Composition& composition, const TestPower& goal, double tolerance) {
  Attained worst{.value = {0, 0, 0}, .log_value = {-infinity, -infinity, -infinity}};
  const bool certified = tolerance <= query_.tolerance;
  for (const Direction direction : directions(composition, query_.direction)) {
    if (!certified && worse_ && direction != *worse_) continue;
    const auto choice = direction == Direction::remove ? DirectionChoice::remove : DirectionChoice::add;
    const OperatingPoint point =
        trade_off(composition, choice, {.tolerance = tolerance, .engine = query_.engine}).at(goal.fpr);
    if (point.power.estimate > worst.value.estimate) worse_ = direction;
    worst.value = larger(worst.value, point.power);
    worst.log_value = larger(worst.log_value, point.log_power);
  }
  worst.converged = worst.log_value.width() <= std::log1p(query_.tolerance);
  return worst;
}

Bracket GoalReader::rho(const Composition& composition, double tolerance) const {
  constexpr double finest = 1e-3;  // of mechanisms for which no theorem gives it at once
  const Bracket found = zcdp_rho(composition, query_.direction, std::max(finest, tolerance));
  if (found.upper < infinity) return found;
  throw DomainError("calibrate", "rho", "unknown for one of the mechanisms",
                    "that of mechanisms whose Renyi divergences have a known bound at every order");
}

Attained GoalReader::read(const Composition& composition, const Goal& goal, double tolerance) {
  const auto sum = [](const Bracket& total) { return Attained{total, log_of(total)}; };
  return std::visit(bounds::Overloaded{[&](const Target& g) { return delta_at(composition, g.epsilon, tolerance); },
                                       [&](const Advantage&) { return delta_at(composition, 0, tolerance); },
                                       [&](const TestPower& g) { return power(composition, g, tolerance); },
                                       [&](const GaussianDp&) { return sum(gaussian_dp_mu(composition)); },
                                       [&](const ZeroConcentratedDp&) { return sum(rho(composition, tolerance)); }},
                    goal);
}

}  // namespace pld
