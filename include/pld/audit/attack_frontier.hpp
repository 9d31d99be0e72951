#pragma once

#include <vector>

#include "pld/account/privacy_profile.hpp"

namespace pld {

/// What a hypothesis about privacy allows attacks on one record that is in the data or out of it: for every event E,
///   P(E) <= delta_in + e^epsilon Q(E)  and  Q(E) <= delta_out + e^epsilon P(E),
/// P being the output with the record in, Q with it out. Lines bound the frontier from outside, so that a hypothesis is
/// refuted only where all mechanisms it allows are.
class AttackFrontier {
 public:
  struct Line {
    double epsilon = 0;  ///< any real number
    double delta_in = 1, delta_out = 1;
  };

  /// The frontier of any (epsilon, delta)-DP mechanism. Domain: epsilon >= 0, 0 <= delta <= 1 (DomainError).
  [[nodiscard]] static AttackFrontier of_claim(double epsilon, double delta);

  /// The frontier of a composition, by the upper ends of its profile: the remove direction for delta_in and the add
  /// direction for delta_out; under replace-one, where either value may be the one that is "in", the larger of the two
  /// for both.
  [[nodiscard]] static AttackFrontier of(const PrivacyProfile& profile);

  /// By increasing epsilon.
  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }

  /// No attack that says "in" of a record that is out with at most this probability says it more often of one that is
  /// in. An upper bound. Domain: 0 <= false_positive_rate <= 1 (DomainError).
  [[nodiscard]] double most_true_positives(double false_positive_rate) const;

 private:
  explicit AttackFrontier(std::vector<Line> lines) : lines_(std::move(lines)) {}

  std::vector<Line> lines_;
};

}  // namespace pld
