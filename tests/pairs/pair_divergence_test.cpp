#include "pairs/pair_divergence.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "numeric/extended.hpp"
#include "pld/formats/mechanism_text.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld::test {
namespace {

/// Of a law of atoms without infinite losses, summed as they are.
double divergence_of_atoms(const DominatingPair& pair, double order) {
  Extended sum = 0;
  for (const LossCell& atom : pair.atoms({-infinity, infinity}))
    sum += exp(static_cast<Extended>(atom.log_q_mass) + static_cast<Extended>(order) * atom.loss);
  return static_cast<double>(log(sum)) / (order - 1);
}

// The divergence near 0 is that of outcomes' masses to 1 and a small sum, but rounded masses do not sum to 1.
TEST_CASE("pairs.divergence.of_rounded_masses_holds_their_own_sum") {
  const Law law = release_of(entry_from_text("logistic:scale=20,allocation=505")).mechanism.law();
  for (const PairPtr& pair : {law.remove, law.add, law.below->remove, law.below->add}) {
    for (const double order : {0.5, 1.5, 4.0, 32.0}) {
      if (order > 1 && pair->log_mass_at_plus_infinity() > -infinity) continue;
      CAPTURE(order);
      const Bracket found = renyi_of_pair(*pair, order, 1e-9);
      const double truth = divergence_of_atoms(*pair, order), rounding = 1e-14;
      CHECK(found.lower <= truth + rounding);
      CHECK(found.upper >= truth - rounding);
      CHECK(found.width() < 1e-9);
    }
  }
}

}  // namespace
}  // namespace pld::test
