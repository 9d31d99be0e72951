#pragma once

namespace pld {

/// Whether a query asks for a finer tolerance than one that names none.
template <class Query>
[[nodiscard]] bool is_fine(const Query& query) {
  return query.tolerance < Query{}.tolerance;
}

/// How many answers' work a question has, wherever it is asked.
template <class Query>
[[nodiscard]] double answers_of(const Query& query) {
  constexpr double to_finer = 1.4;  // steps by tenths take some two fifths of what the last does
  return is_fine(query) ? to_finer : 1;
}

}  // namespace pld
