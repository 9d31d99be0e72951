#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "pld/compose/profile_bracket.hpp"

namespace pld {

/// Where a profile reaches many values, from one set of readings: the profile is convex in e^epsilon, below the chord of two
/// readings and above the chords on either side of them, drawn out. Intervals are halved until those lie as close as asked.
class SharedInverse {
 public:
  /// The profile at increasing epsilons.
  using ReadAll = std::function<std::vector<ProfileBracket>(const std::vector<double>&)>;

  /// For epsilons from `lowest` to `highest`.
  SharedInverse(ReadAll read, double lowest, double highest);

  /// How much log delta, or log(1 - delta) where that is smaller, changes where epsilon changes by a share of itself, at the
  /// least; of epsilons near 0 nothing is said. An estimate.
  [[nodiscard]] double least_change() const;

  /// Certified: the epsilon of each delta in (0, 1), in any order, to within a relative width of `tolerance` (near 0, of a hundredth
  /// of the largest epsilon) or about what the readings' own width allows. Where that is not to be had the bracket may be as wide as [-inf, inf].
  [[nodiscard]] std::vector<Bracket> at(const std::vector<double>& deltas, double tolerance);

 private:
  struct Node {
    double epsilon = 0;
    ProfileBracket profile;
  };
  struct Solution {
    Bracket epsilon{};
    double own_width = 0;      ///< what the readings' own comes to
    std::size_t interval = 0;  ///< by its left node
  };
  void add(std::vector<double> epsilons);
  [[nodiscard]] Solution solved(double delta) const;

  ReadAll read_;
  std::vector<Node> nodes_;  ///< by increasing epsilon
};

}  // namespace pld
