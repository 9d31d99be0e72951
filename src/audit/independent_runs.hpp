#pragma once

#include <cstddef>

#include "pld/audit/attack_frontier.hpp"
#include "pld/audit/observations.hpp"

namespace pld::audit {

/// Whether Clopper and Pearson's rectangle at this level lies beyond the frontier. Domain: 0 < level < 1.
[[nodiscard]] bool refutes(const RunCounts& counts, const AttackFrontier& hypothesis, double level);

/// Scores of independent runs, cut where an attack may.
class RankedScores {
 public:
  /// Domain: finite scores, some of each kind.
  explicit RankedScores(Scores scores);

  [[nodiscard]] std::size_t ranks() const { return scores_.out.size(); }

  /// What an attack says that calls "in" whatever exceeds the out score of this rank from above, 1 being the largest's.
  [[nodiscard]] RunCounts above(std::size_t rank) const;

 private:
  Scores scores_;  ///< decreasing
};

}  // namespace pld::audit
