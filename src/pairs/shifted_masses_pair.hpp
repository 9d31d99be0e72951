#pragma once

#include <cstddef>
#include <vector>

#include "pairs/atomic_pair.hpp"
#include "pld/core/direction.hpp"

namespace pld {

/// Noise with finitely many masses on the whole numbers: X + shift against X, or the reverse for Direction::add.
class ShiftedMassesPair final : public AtomicPair {
 public:
  /// `masses`: of X, at consecutive numbers, each off by a part in 2^52 at most. `shift`: up to their number, by which
  /// the two laws are disjoint.
  ShiftedMassesPair(std::vector<Extended> masses, std::size_t shift, Direction direction);

  [[nodiscard]] const std::vector<Extended>& masses() const { return masses_; }
  [[nodiscard]] std::size_t shift() const { return shift_; }

 private:
  std::vector<Extended> masses_;
  std::size_t shift_;
};

/// The same masses `before` numbers further right, with so many zeros in all as there are outcomes.
[[nodiscard]] std::vector<Extended> moved_masses(const std::vector<Extended>& masses, std::size_t before,
                                                 std::size_t outcomes);

}  // namespace pld
