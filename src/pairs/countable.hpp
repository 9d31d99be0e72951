#pragma once

#include <cstddef>

#include "core/work.hpp"
#include "pld/core/errors.hpp"

namespace pld {

constexpr double points_an_atom = 15;

/// Takes the points of atoms that are made in any case.
inline void note_atoms(std::size_t atoms) { Work::note(points_an_atom * static_cast<double>(atoms)); }

/// Takes the points of atoms before they are made: 5e6, the most of all, take a second and half a gigabyte. Throws
/// WorkSpent where too little is left for more than a law has where it weighs anything.
inline void take_points_of_atoms(double atoms) {
  constexpr double in_any_case = 1e6, most = 5e6;
  if (!(atoms < most)) throw WorkSpent("more atoms than one answer may have");
  if (atoms > in_any_case)
    Work::take(points_an_atom * atoms);
  else
    Work::note(points_an_atom * atoms);
}

}  // namespace pld
