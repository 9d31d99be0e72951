#pragma once

#include "account/ladder.hpp"
#include "engines/engine_answer.hpp"
#include "engines/tilted_lattice/lattice_engine.hpp"

namespace pld {

/// log delta by the ladder's lattice rows alone.
inline EngineAnswer lattice_log_delta(const Terms& terms, double epsilon, double width) {
  const Bracket found = climb(terms, Engine::lattice, DeltaAsk{.epsilon = epsilon, .width = width}).here.log_delta;
  return {found, found.width() <= width};
}

/// The epsilon of a log delta, likewise.
inline EngineAnswer lattice_epsilon_of(const Terms& terms, double log_delta, double tolerance) {
  double points = lattice_points(terms.size());
  return lattice_epsilon(terms, {log_delta, log_delta, log_delta}, tolerance, points);
}

}  // namespace pld
