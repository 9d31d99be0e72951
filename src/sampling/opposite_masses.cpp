#include "sampling/opposite_masses.hpp"

#include <algorithm>
#include <memory>

namespace pld {

PairPtr opposite_masses(const ShiftedMassesPair& removal, double q) {
  const std::vector<Extended>& masses = removal.masses();
  if (!std::equal(masses.begin(), masses.end(), masses.rbegin())) return nullptr;
  const std::size_t shift = removal.shift(), outcomes = masses.size() + 2 * shift;
  const std::vector<Extended> still = moved_masses(masses, shift, outcomes);
  const auto mixed = [&](std::size_t before) {
    std::vector<Extended> sample = moved_masses(masses, before, outcomes);
    const auto drawn = static_cast<Extended>(q);
    for (std::size_t i = 0; i < outcomes; ++i) sample[i] = (1 - drawn) * still[i] + drawn * sample[i];
    return sample;
  };
  return std::make_shared<AtomicPair>(atoms_of_masses(mixed(2 * shift), mixed(0)));
}

}  // namespace pld
