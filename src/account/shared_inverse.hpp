#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "pld/account/profile_place.hpp"
#include "pld/core/profile_bracket.hpp"

namespace pld {

/// Where a profile reaches many values, from one set of readings: the profile is convex in e^epsilon, below the chord
/// of two readings and above the chords on either side of them, drawn out. Intervals are halved until those lie as
/// close as asked.
class SharedInverse {
 public:
  /// The profile at places of increasing epsilon.
  using ReadAll = std::function<std::vector<ProfileBracket>(const std::vector<ProfilePlace>&)>;

  /// For epsilons from `lowest` to `highest`, that of the least delta. tolerance: relative width of epsilon; near 0, of
  /// a hundredth of the largest epsilon.
  SharedInverse(ReadAll read, double lowest, double highest, double least_delta, double tolerance);

  /// Certified: the epsilon of each delta in (0, 1), in any order, to within the tolerance or about what the readings'
  /// own width allows. Where that is not to be had the bracket may be as wide as [-inf, inf].
  [[nodiscard]] std::vector<Bracket> at(const std::vector<double>& deltas);

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
  [[nodiscard]] double width_at(double epsilon) const;
  [[nodiscard]] double log_width_between(const Node& left, const Node& right, double epsilon) const;
  void read_evenly(double lowest, int parts);
  void add(const std::vector<ProfilePlace>& places);
  void sharpen();
  [[nodiscard]] Solution solved(double delta) const;

  ReadAll read_;
  double tolerance_, highest_, least_width_;
  double log_width_beyond_;  ///< of delta, that serves where it is below the least one asked for
  std::vector<Node> nodes_;  ///< by increasing epsilon
};

}  // namespace pld
