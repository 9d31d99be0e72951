#pragma once

#include "numeric/extended.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld::test {

/// delta(epsilon) of a pair of atoms, as they are.
inline Extended delta_of_atoms(const DominatingPair& pair, double epsilon) {
  Extended delta = exp(static_cast<Extended>(pair.log_mass_at_plus_infinity()));
  for (const LossCell& atom : pair.atoms({epsilon, infinity}))
    delta += exp(static_cast<Extended>(atom.log_mass)) * -expm1(epsilon - static_cast<Extended>(atom.loss));
  return delta;
}

}  // namespace pld::test
