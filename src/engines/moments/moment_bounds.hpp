#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/price.hpp"
#include "pairs/release_moments.hpp"
#include "pld/core/bracket.hpp"

namespace pld {

/// A release, repeated, of which losses up to `highest` are composed; what lies beyond is the caller's to account for.
struct RepeatedRelease {
  PairPtr pair;
  double highest = infinity;
  std::int64_t count = 1;
};

/// Bounds of the profile of a composition from the moments of its single releases: Chernoff's from above and, from
/// below, the mass that Chebyshev's inequality leaves near the mean of the tilted law. Some nats wide in log delta,
/// some standard deviations in epsilon, at a cost that depends neither on the counts nor on delta. Moments are kept
/// from one epsilon to the next, so that it is not safe to share between threads.
class MomentBounds {
 public:
  explicit MomentBounds(const std::vector<RepeatedRelease>& releases);
  /// From about so many cells of each release, whatever work is left.
  MomentBounds(const std::vector<RepeatedRelease>& releases, std::size_t cells);

  /// log of the finite losses' delta(epsilon), bounds searched around a tilt.
  [[nodiscard]] Bracket log_delta(double epsilon, double tilt) const;

  /// The whole composition's delta near 1, losses beyond `highest` and infinite ones counted: 1 - delta(epsilon) = E
  /// min(1, e^{epsilon - z}) is at most E e^{s (epsilon - z)}, 0 < s <= 1. A lower bound of log delta(epsilon).
  [[nodiscard]] double log_delta_near_one(double epsilon) const;

 private:
  struct Part {
    ReleaseMoments moments;
    double count;
  };
  /// What all releases together are, tilted: log moment from below, mean and the root of E(z - mean)^2 from above.
  struct Composed {
    double log_moment = 0, mean = 0, spread = 0;
  };
  /// At a place of the grid of tilts: each is worked out when it is first asked for.
  [[nodiscard]] double log_moment_upper(int place) const;
  [[nodiscard]] const Composed& composed(int place) const;
  [[nodiscard]] Composed composed_at(double tilt) const;
  void find_negative_moments() const;

  struct NegativeMoment {
    double s = 0, log_upper = 0;
  };
  std::vector<Part> parts_;
  int finest_step_ = 1;  ///< of the grid of tilts, between those that are looked at
  mutable std::unordered_map<int, Priced<double>> log_moments_upper_;
  mutable std::unordered_map<int, Priced<Composed>> composed_;
  mutable std::vector<NegativeMoment> negative_moments_;
};

}  // namespace pld
