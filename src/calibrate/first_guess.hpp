#pragma once

#include <vector>

#include "pld/calibrate/calibration.hpp"

namespace pld {

/// How far above their limits goals are in a composition (see miss()), from what is quickly known of its releases:
/// where to start a search, certain of nothing. mu and rho are not among them.

struct QuickMiss {
  double miss = -infinity;
  bool without_saddle =
      false;  ///< rare large or infinite losses make delta, for which this is closer than any saddle point
};

/// What a guess is to be made of: a composition, or where bounds are by steps of other neighbours (account/steps) one
/// step and the part that it may take of each target.
struct Guessed {
  Composition composition;
  std::vector<Target> targets;
};
[[nodiscard]] Guessed one_step_of(const Composition& composition, const std::vector<Target>& targets);

/// As if each release were a Gaussian of its total variation that now and then has one large loss: microseconds, right
/// within a factor or so of the noise.
[[nodiscard]] QuickMiss miss_as_gaussian(const Composition& composition, const std::vector<Target>& targets);

/// By the saddle-point approximation (Daniels 1954) on the outlines of the laws: a hundred times that, right within
/// some percent. Remembers the tilts, which similar compositions start from.
class SaddleGuess {
 public:
  explicit SaddleGuess(std::vector<Target> targets);
  [[nodiscard]] double miss(const Composition& composition, Direction direction);

 private:
  std::vector<Target> targets_;
  std::vector<double> tilts_;
  double least_delta_ = 1;
};

/// The (epsilon, delta) that a normal law of the same goal would just meet.
[[nodiscard]] std::vector<Target> targets_like(const std::vector<Goal>& goals);

}  // namespace pld
