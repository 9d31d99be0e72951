#pragma once

namespace pld {

/// How many answers' work a question at a tolerance has, wherever it is asked: more where that is finer than a query's
/// which names none.
template <class Query>
[[nodiscard]] double answers_of(double tolerance) {
  constexpr double to_finer = 1.4;  // steps by tenths take some two fifths of what the last does
  return tolerance < Query{}.tolerance ? to_finer : 1;
}

}  // namespace pld
