#pragma once

namespace pld {

/// How an answer was computed. `automatic` takes a closed form where one exists, then the contour engine, then the
/// lattice engine.
enum class Engine { automatic, lattice, contour, closed_form };

[[nodiscard]] constexpr const char* name(Engine engine) {
  switch (engine) {
    case Engine::lattice:
      return "lattice";
    case Engine::contour:
      return "contour";
    case Engine::closed_form:
      return "closed-form";
    case Engine::automatic:
      break;
  }
  return "auto";
}

}  // namespace pld
