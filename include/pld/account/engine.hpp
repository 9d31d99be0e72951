#pragma once

namespace pld {

/// How an answer was computed. `automatic` takes a closed form where one exists, then the contour engine, then the
/// lattice engine.
enum class Engine { automatic, lattice, contour, closed_form };

[[nodiscard]] constexpr const char* name(Engine engine) {
  if (engine == Engine::lattice) return "lattice";
  if (engine == Engine::contour) return "contour";
  return engine == Engine::closed_form ? "closed-form" : "auto";
}

}  // namespace pld
