#pragma once

#include "core/work.hpp"
#include "pld/core/errors.hpp"

namespace pld {

/// Takes the points of more atoms than a law has where it weighs anything, before they are made: 5e6, the most of all,
/// take a second and half a gigabyte. Throws WorkSpent where too little is left.
inline void take_points_of_atoms(double atoms) {
  constexpr double points_an_atom = 15, in_any_case = 1e6, most = 5e6;
  if (!(atoms < most)) throw WorkSpent("more atoms than one answer may have");
  if (atoms > in_any_case) Work::take(points_an_atom * atoms);
}

}  // namespace pld
