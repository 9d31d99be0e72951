#pragma once

#include "pld/core/direction.hpp"

namespace pld {

/// That of the two data sets the other way round; the worse one stays the worse one.
[[nodiscard]] constexpr DirectionChoice opposite(DirectionChoice choice) {
  if (choice == DirectionChoice::worst) return choice;
  return choice == DirectionChoice::remove ? DirectionChoice::add : DirectionChoice::remove;
}

[[nodiscard]] constexpr Direction opposite(Direction direction) {
  return direction == Direction::remove ? Direction::add : Direction::remove;
}

/// The choice of one direction.
[[nodiscard]] constexpr DirectionChoice only(Direction direction) {
  return direction == Direction::remove ? DirectionChoice::remove : DirectionChoice::add;
}

/// The one asked for; where that is the worse one, remove.
[[nodiscard]] constexpr Direction one_of(DirectionChoice choice) {
  return choice == DirectionChoice::add ? Direction::add : Direction::remove;
}

}  // namespace pld
