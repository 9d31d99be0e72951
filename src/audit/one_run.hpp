#pragma once

#include <vector>

#include "pld/audit/attack_frontier.hpp"
#include "pld/audit/observations.hpp"

namespace pld::audit {

/// An upper bound on the probability of so many right guesses, or more. With W binomial, of as many trials as guesses
/// and a success with probability e^epsilon / (1 + e^epsilon), and the mean delta below, it is
///   P(W >= v) + m delta P(W >= v) P(W < v) / (v P(W = v)).
/// Of delta 0 it is Steinke, Nasr, Jagielski 2023, theorem 5.2, whose term in delta is another, and no bound
/// (docs/audit.md has both, and the proof). The least of the frontier's lines of epsilon >= 0.
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
