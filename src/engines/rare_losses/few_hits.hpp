#pragma once

#include <vector>

#include "pairs/release_moments.hpp"
#include "pairs/term.hpp"

namespace pld {

/// An upper bound of delta where one large loss decides, and all others together are far narrower than epsilon.
///
/// Infinite losses are hits too. With J hits and the sum S of the other losses, of all releases but one,
///     delta(epsilon) <= P(J >= 2) + delta_0(epsilon) + sum over releases of E h(epsilon - S),
/// h the profile of one release's hits alone: h(e) = P(hit, z > e) - e^e Q(hit, z > e), which falls. Chernoff's bound
/// of P(S > s) and of delta_0, that of no hit, is all that is asked of the many small losses: where they are narrow, it
/// costs next to nothing.
class FewHits {
 public:
  /// The border is put where P(J >= 2) is some percent of e^log_delta: any log_delta gives a bound, one near the truth
  /// a narrow one. epsilon > 0: about where it will be asked for. `terms` are kept by reference. Throws WorkSpent where
  /// moments take too long.
  FewHits(const Terms& terms, double log_delta, double epsilon);

  /// log delta(epsilon) from above, epsilon > 0; `known`, another such bound, as soon as it is seen to be no higher, or
  /// where no work is left.
  [[nodiscard]] double log_delta_upper(double epsilon, double known = 0) const;

 private:
  struct LogMoment {
    double tilt = 0, all = 0, all_but_one = 0;  ///< upper bounds, of the losses that are no hits
  };
  [[nodiscard]] double log_one_hit(double epsilon, double known) const;
  [[nodiscard]] double rest_beyond(double nats) const;

  const Terms& terms_;
  double hit_ = 0;
  double log_hit_ = 0;  ///< of the expected number of hits, from above
  std::vector<LogMoment> moments_;
};

}  // namespace pld
