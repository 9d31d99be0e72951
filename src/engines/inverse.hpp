#pragma once

#include <functional>

#include "pld/core/bracket.hpp"
#include "pld/core/profile_bracket.hpp"

namespace pld {

/// How far a profile is above a delta, on the log scale: by whichever of delta and 1 - delta is the small one there, so
/// that both keep their digits. It falls with epsilon.
class Level {
 public:
  /// log_delta in (-inf, 0).
  explicit Level(double log_delta);

  /// Whether delta is the smaller one at the level.
  [[nodiscard]] bool by_delta() const { return by_delta_; }

  /// Each end moved outward by the rounding of the logarithms.
  [[nodiscard]] Bracket excess(const ProfileBracket& profile) const;

 private:
  double log_delta_, log_complement_, rounding_;
  bool by_delta_;
};

using ReadProfile = std::function<ProfileBracket(double epsilon)>;

/// The one inverse of profiles: the smallest epsilon at which delta(epsilon) is at most e^log_delta, log_delta in
/// (-inf, 0). Both ends are epsilons that were read, the upper one where the profile is certainly at most that, the
/// lower one where it is certainly at least that; an infinite end where no reading tells. Looked for from `near`
/// outward, until the search makes the bracket no more than some percent wider.
///
/// What is read falls with epsilon near the ends: any reading that is certified is good, others make an end wider.
[[nodiscard]] Bracket epsilon_where(const ReadProfile& read, double log_delta, double near);

}  // namespace pld
