#pragma once

namespace pld {

/// Which of the two neighbouring data sets holds the extra record. `remove`: P is the output with the record, Q
/// without it; `add`: the roles are swapped.
enum class Direction { remove, add };

/// What a query asks for: one direction, or the worse of the two.
enum class DirectionChoice { worst, remove, add };

[[nodiscard]] constexpr const char* name(Direction direction) {
  return direction == Direction::remove ? "remove" : "add";
}

[[nodiscard]] constexpr const char* name(DirectionChoice choice) {
  switch (choice) {
    case DirectionChoice::remove:
      return "remove";
    case DirectionChoice::add:
      return "add";
    case DirectionChoice::worst:
      break;
  }
  return "worst";
}

}  // namespace pld
