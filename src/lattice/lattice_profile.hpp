#pragma once

#include <cstddef>
#include <vector>

#include "lattice/lattice_measure.hpp"
#include "lattice/split_excess.hpp"

namespace pld {

/// Reads the privacy profile off a composed lattice measure, on the log scale: delta(epsilon) is the sum of
/// (1 - e^{epsilon - z}) over the P mass at losses z > epsilon. All that the measure may be off by is moved outward.
class LatticeProfile {
 public:
  /// `side` says which of the measure's two bounds this is: log_delta is then an upper or a lower bound of the profile
  /// of whatever the measure bounds.
  LatticeProfile(LatticeMeasure measure, Side side);

  /// log delta(epsilon), outward; -inf where nothing is left. Finite epsilon, also below the lattice's window.
  [[nodiscard]] double log_delta(double epsilon) const;

  /// The part of log_delta's distance from the plain sum that is slack and round-off, relative to delta, at epsilon.
  [[nodiscard]] double relative_error(double epsilon) const;

  /// What splits from below take off log delta between kinks, and what they add to it from above; 0 without any.
  [[nodiscard]] double usual_split_loss() const { return split_loss(measure_.split_variance, measure_.tilt); }

  /// How many weights it keeps.
  [[nodiscard]] std::size_t size() const { return measure_.weights.size(); }

 private:
  struct Sums {
    double profile = 0;  ///< delta at a node, over e^{log_scale - tilt z}
    double q_mass = 0;   ///< Q mass beyond the node in the same unit, relative to e^{-z}
  };
  /// The profile at an epsilon over e^{log_scale - tilt epsilon - log_drop}, as the weights have it.
  struct Reading {
    double plain = 0;
    double log_drop = 0;    ///< the tilt over the distance to the first node above
    std::size_t nodes = 0;  ///< how many nodes lie above
  };
  /// What is left of the sums at a node for the one below.
  struct Step {
    double drop = 0, q_drop = 0, rise = 0;
  };
  [[nodiscard]] Sums below(const Sums& sums, std::size_t node) const;
  [[nodiscard]] Sums at(std::size_t node) const;
  [[nodiscard]] Reading read(double epsilon) const;
  [[nodiscard]] double error_with(std::size_t nodes) const;
  [[nodiscard]] double doubt_at(double epsilon) const;
  [[nodiscard]] double log_bound(double epsilon, Side side) const;
  [[nodiscard]] double log_least_of_split(double epsilon) const;

  LatticeMeasure measure_;
  Side side_;
  Step step_;
  double most_;             ///< largest_contribution() of the tilt
  double log_all_ = 0;      ///< log of all tilted mass from above, where atoms were split from below
  std::vector<Sums> sums_;  ///< at every eighth node, of the nodes above it
};

/// Best guess between two bounds: 45 % of the way from lower to upper; the finite one where the other is infinite.
[[nodiscard]] double estimate_between(double lower, double upper);

/// max over u > 0 of (1 - e^-u) e^{-tilt u}: the most that one unit of tilted mass adds to a scaled profile.
[[nodiscard]] double largest_contribution(double tilt);

}  // namespace pld
