#include "pairs/shifted_masses_pair.hpp"

#include <algorithm>
#include <utility>

namespace pld {
namespace {

AtomicPair shifted_against_still(const std::vector<Extended>& masses, std::size_t shift, Direction direction) {
  const std::size_t outcomes = masses.size() + shift;
  const auto moved = moved_masses(masses, shift, outcomes), still = moved_masses(masses, 0, outcomes);
  return direction == Direction::remove ? atoms_of_masses(moved, still) : atoms_of_masses(still, moved);
}

}  // namespace

std::vector<Extended> moved_masses(const std::vector<Extended>& masses, std::size_t before, std::size_t outcomes) {
  std::vector<Extended> moved(outcomes, 0);
  std::copy(masses.begin(), masses.end(), moved.begin() + static_cast<std::ptrdiff_t>(before));
  return moved;
}

ShiftedMassesPair::ShiftedMassesPair(std::vector<Extended> masses, std::size_t shift, Direction direction)
    : AtomicPair(shifted_against_still(masses, shift, direction)), masses_(std::move(masses)), shift_(shift) {}

}  // namespace pld
