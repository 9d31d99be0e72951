#pragma once

#include <vector>

#include "pld/audit/attack_frontier.hpp"
#include "pld/audit/observations.hpp"

namespace pld::audit {

/// An upper bound on the probability of so many right guesses, or more, under any (epsilon, delta)-DP mechanism
/// (Steinke, Nasr, Jagielski 2023, theorem 5.2): with W binomial, of as many trials as guesses and a success with
/// probability e^epsilon / (1 + e^epsilon), it is
///   P(W >= v) + 2 m delta max over i of P(v - i <= W < v) / i.
/// The least of the frontier's lines of epsilon >= 0, each a bound on the same probability.
[[nodiscard]] double tail_bound(const RunGuesses& guesses, const AttackFrontier& hypothesis);

/// What a frontier says of the guesses of one run (Mahloujifar, Melis, Chaudhuri 2024, direction by direction;
/// docs/audit.md has the proof). With p_i the probability of i right ones among c guesses and any least number l,
///   sum over i >= l of i p_i <= m delta + e^epsilon sum over i >= l of (c - i + 1) p_(i-1),
/// delta being half the sum of delta_in and delta_out, or half of delta_in where all guesses are "in".
class GuessConstraints {
 public:
  GuessConstraints(const RunGuesses& guesses, const AttackFrontier& hypothesis);

  /// Whether so many right guesses, or more, cannot have this probability. Domain: 0 < probability < 1.
  [[nodiscard]] bool exclude(double probability) const;

 private:
  /// slope * x - offset
  struct Line {
    double slope, offset;
  };

  RunGuesses guesses_;
  std::vector<Line> envelope_;  ///< lines, none of them below the largest of the others everywhere, by slope
};

}  // namespace pld::audit
