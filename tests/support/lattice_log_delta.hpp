#pragma once

#include "account/ladder.hpp"
#include "engines/answer_width.hpp"

namespace pld {

/// A certified bracket and whether it is as narrow as was asked.
struct EngineAnswer {
  Bracket value;
  bool converged = true;
};

/// log delta by the ladder's lattice rows alone.
inline EngineAnswer lattice_log_delta(const Terms& terms, double epsilon, double width) {
  const Bracket found = climb(terms, Engine::lattice, {.epsilon = epsilon, .width = width}).here.log_delta;
  return {found, found.width() <= width};
}

/// The epsilon of a log delta, likewise.
inline EngineAnswer lattice_epsilon_of(const Terms& terms, double log_delta, double tolerance) {
  const Bracket found = climb_to_delta(terms, Engine::lattice, log_delta, tolerance).value;
  return {found, is_narrow(found, tolerance)};
}

}  // namespace pld
