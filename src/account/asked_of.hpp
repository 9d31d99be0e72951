#pragma once

#include "pld/core/bracket.hpp"

namespace pld {

/// What an answer's tolerance is of: log delta where a delta was asked for, else epsilon.
template <class Answer>
[[nodiscard]] Bracket asked_of(const Answer& answer) {
  if constexpr (requires { answer.log_delta; })
    return answer.log_delta;
  else
    return answer;
}

}  // namespace pld
