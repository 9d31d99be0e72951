#pragma once

#include <algorithm>

#include "core/intersection.hpp"
#include "engines/tilted_lattice/lattice_query.hpp"
#include "lattice/lattice_profile.hpp"
#include "numeric/log_doubt.hpp"
#include "numeric/log_sum.hpp"
#include "pld/core/bracket.hpp"

namespace pld {

/// What infinite losses and hits add to a body's profile, see LatticeQuery.
class Hits {
 public:
  explicit Hits(const LatticeQuery& query)
      : log_infinity_(query.log_infinity().lower),
        log_beyond_(query.log_beyond()),
        log_q_(query.log_q_hits()),
        largest_(query.may_weigh_more_than_one() ? 0 : infinity) {}

  /// log of what they add to delta(epsilon) at least.
  [[nodiscard]] double log_gained(double epsilon) const { return log_difference(log_beyond_.lower, epsilon + log_q_); }

  [[nodiscard]] Bracket with_body(double log_lower, double log_upper, double epsilon) const {
    const auto rounding = [](double log) { return doubt(log, 8); };
    const double gained = log_gained(epsilon);
    const double lower = log_sum(log_lower, std::max(log_infinity_, gained - rounding(gained)));
    const double upper = log_sum(log_upper, log_beyond_.upper);
    const double low = std::min(lower - rounding(lower), largest_), high = std::min(0.0, upper + rounding(upper));
    const Bracket both = intersection({low, low, 0}, at_most(high));
    return {both.lower, estimate_between(both.lower, both.upper), both.upper};
  }

 private:
  double log_infinity_;
  Bracket log_beyond_;
  double log_q_;
  double largest_;  ///< that a lower end may be: laws whose masses were rounded up weigh more than 1
};

}  // namespace pld
