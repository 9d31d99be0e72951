#include "calibrate/attained.hpp"

#include <algorithm>
#include <cmath>

#include "account/plain_answer.hpp"
#include "bounds/overloaded.hpp"
#include "pld/core/errors.hpp"
#include "pld/core/rounding.hpp"
#include "pld/readout/concentrated.hpp"
#include "pld/readout/gaussian_dp.hpp"
#include "pld/readout/trade_off.hpp"

namespace pld {
namespace {

Bracket log_of(const Bracket& b) { return {std::log(b.lower), std::log(b.estimate), std::log(b.upper)}; }

}  // namespace

Attained GoalReader::delta_at(const Composition& composition, double epsilon, double tolerance) const {
  const DeltaAnswer answer =
      plain_delta(composition,
                  {.epsilon = epsilon, .tolerance = tolerance, .direction = query_.direction, .engine = query_.engine});
  const bool as_asked = tolerance <= query_.tolerance || answer.log_delta.width() <= std::log1p(query_.tolerance);
  return {static_cast<const Finding&>(answer), answer.log_delta, answer.converged && as_asked};
}

/// Whether a logarithm is known to the tolerance: of an exact one the truth, else the bound.
bool GoalReader::is_as_asked(const Finding& log) const { return !(log.doubt() > std::log1p(query_.tolerance)); }

Attained GoalReader::power(const Composition& composition, const TestPower& goal, double tolerance) const {
  const OperatingPoint point =
      trade_off(composition, query_.direction, {.tolerance = tolerance, .engine = query_.engine}).at(goal.fpr);
  const bool exact = composition.has_worst_neighbours() && point.attained;
  return {
      {point.power, exact, composition.is_only_guaranteed()}, point.log_power, is_as_asked({point.log_power, exact})};
}

Bracket GoalReader::rho(const Composition& composition, double tolerance) const {
  constexpr double finest = 1e-5;  // of mechanisms for which no theorem gives it at once
  const Bracket found = zcdp_rho(composition, query_.direction, std::max(finest, tolerance));
  if (found.upper < infinity) return found;
  throw DomainError("rho", "one of the mechanisms", "without a known rho",
                    "one whose Renyi divergences have a known bound at every order");
}

Attained GoalReader::read(const Composition& composition, const Goal& goal, double tolerance) const {
  constexpr double coarsest = 1e-3;  // of mu: a wider one takes as long
  const auto of_logarithm = [&](const Finding& found) {
    const Finding log{log_of(found), found.exact};
    return Attained{found, log, is_as_asked(log)};
  };
  return std::visit(
      bounds::Overloaded{
          [&](const Target& g) { return delta_at(composition, g.epsilon, tolerance); },
          [&](const Advantage&) { return delta_at(composition, 0, tolerance); },
          [&](const TestPower& g) { return power(composition, g, tolerance); },
          [&](const GaussianDp&) { return of_logarithm(gaussian_dp_mu(composition, std::min(coarsest, tolerance))); },
          [&](const ZeroConcentratedDp&) {
            return of_logarithm(
                {rho(composition, tolerance), composition.has_worst_neighbours(), composition.is_only_guaranteed()});
          }},
      goal);
}

}  // namespace pld
