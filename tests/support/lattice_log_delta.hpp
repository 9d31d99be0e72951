#pragma once

#include "account/ladder.hpp"
#include "engines/engine_answer.hpp"

namespace pld {

/// log delta by the ladder's lattice rows alone.
inline EngineAnswer lattice_log_delta(const Terms& terms, double epsilon, double width) {
  const Bracket found = climb(terms, Engine::lattice, DeltaAsk{.epsilon = epsilon, .width = width}).here.log_delta;
  return {found, found.width() <= width};
}

}  // namespace pld
