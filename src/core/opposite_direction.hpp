#pragma once

#include "pld/core/direction.hpp"

namespace pld {

/// That of the two data sets the other way round; the worse one stays the worse one.
[[nodiscard]] constexpr DirectionChoice opposite(DirectionChoice choice) {
  if (choice == DirectionChoice::worst) return choice;
  return choice == DirectionChoice::remove ? DirectionChoice::add : DirectionChoice::remove;
}

}  // namespace pld
