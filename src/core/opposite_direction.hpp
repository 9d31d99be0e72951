#pragma once

#include "pld/core/direction.hpp"

namespace pld {

/// That of the two data sets the other way round; the worse one stays the worse one.
[[nodiscard]] constexpr DirectionChoice opposite(DirectionChoice choice) {
  if (choice == DirectionChoice::worst) return choice;
  return choice == DirectionChoice::remove ? DirectionChoice::add : DirectionChoice::remove;
}

/// The one asked for; where that is the worse one, remove.
[[nodiscard]] constexpr Direction one_of(DirectionChoice choice) {
  return choice == DirectionChoice::add ? Direction::add : Direction::remove;
}

}  // namespace pld
