#pragma once

#include <cstddef>
#include <numbers>
#include <vector>

#include "numeric/log_bound.hpp"
#include "pairs/term.hpp"
#include "pld/core/bracket.hpp"
#include "pld/core/rounding.hpp"

// A release's losses above a border are hits. Outcomes with no hit, with one, and with more are disjoint, and
// hockey-stick integrals over disjoint sets add up. Bounds by this split differ in how they bound the rest beside one
// hit: not at all (SingleEvents), by Chernoff (FewHits), or on a lattice (OneHit).

namespace pld {

/// The event that some release has a hit: log P from below, log Q from above.
struct HitEvent {
  double log_p = -infinity, log_q = -infinity;

  /// log of P less e^epsilon Q from below: delta(epsilon) is no less, and close to it where one release alone decides.
  [[nodiscard]] double log_gain(double epsilon) const {
    return LogBound(log_p, Side::lower).less(round_up(epsilon + log_q)).log();
  }
};

/// What infinite losses and hits add to a body's profile, see LatticeQuery.
struct Hits {
  double log_infinity = -infinity, log_most = -infinity;  ///< P of infinite losses, from below; of all, from above
  HitEvent gaining;                                       ///< infinite losses, and those hits that gain
  double largest = infinity;  ///< that a lower end may be: laws whose masses were rounded up weigh more than 1

  [[nodiscard]] Bracket with_body(double log_lower, double log_upper, double epsilon) const;
};

/// Of more kinds than these any border will do that is near the best, as each look at one takes all their tails.
constexpr std::size_t most_kinds_at_best_border = 300;

/// Of hits with more than `loss`, infinite losses among them.
[[nodiscard]] HitEvent hits_above(const Terms& terms, double loss);

/// log of how many hits with finite losses above a border a kind of release is expected to have, from above.
[[nodiscard]] double log_expected_hits(const Term& term, double border);

/// log P of two hits or more, from above, where so many are expected of independent releases; and how many are expected
/// for it to be about that.
[[nodiscard]] inline double log_two_hits(double log_expected) {
  return LogBound(2 * log_expected, Side::upper).times(-std::numbers::ln2).log();
}
[[nodiscard]] inline double log_expected_for(double log_two) { return 0.5 * (log_two + std::numbers::ln2); }

/// Lower bounds of delta by such events, whatever their border.
class SingleEvents {
 public:
  /// Events that weigh a little more than e^log_delta, for epsilons near that of this delta.
  SingleEvents(const Terms& terms, double log_delta);

  /// The largest epsilon at which one of them has e^log_delta; -inf where none has.
  [[nodiscard]] double epsilon() const { return epsilon_; }
  /// log delta(epsilon) from below, by the best of them.
  [[nodiscard]] double log_gain(double epsilon) const;

 private:
  std::vector<HitEvent> events_;
  double epsilon_ = -infinity;
};

}  // namespace pld
