#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "engines/moments/moment_bounds.hpp"
#include "engines/rare_losses/hits.hpp"
#include "lattice/cumulant.hpp"
#include "lattice/discretise.hpp"
#include "lattice/lattice_composer.hpp"
#include "lattice/lattice_profile.hpp"
#include "pairs/term.hpp"
#include "pld/core/bracket.hpp"

namespace pld {

/// One query of the lattice engine: its releases, each cut above and below and tilted for it.
///
/// Cut above, at a loss c of each release, the composition's outcomes are the *body*, where no loss is above, and the
/// *hits*, where one is. The body's best event, with all hits or with none, and all hits at their P mass give
///     body(epsilon) + (P(hits) - e^epsilon Q(hits))_+  <=  delta(epsilon)  <=  body(epsilon) + P(hits),
/// so that a cut is good where either mass of the hits is small beside delta: losses far above epsilon count in full
/// wherever they are, and those too rare do not matter. The event of the lower bound is the hits of those releases
/// alone whose hits gain at epsilon: rare ones of the others would take more by their Q mass than they bring.
class LatticeQuery {
 public:
  explicit LatticeQuery(const Terms& terms);
  LatticeQuery(LatticeQuery&&) = default;  // no copies: cumulants_ refer to releases_

  /// Cuts each release so that the hits weigh at most e^log_mass, in P or e^epsilon times in Q.
  void cut_above(double log_mass, double epsilon) {
    if (epsilon < infinity) gaining_at_ = epsilon;
    cut(cuts_for(log_mass, epsilon));
  }
  [[nodiscard]] std::vector<double> cuts_for(double log_mass, double epsilon) const;

  /// Cuts each release at a loss of its own; all hits are to gain.
  void cut_at(const std::vector<double>& losses) {
    gaining_at_ = -infinity;
    cut(losses);
  }

  /// Tilts the body to the saddle and cuts each release where less than e^-nats of all tilted mass lies.
  void tilt_to(const Saddle& saddle, double nats);

  [[nodiscard]] Saddle at_epsilon(double epsilon) const {
    return saddle_at_epsilon(cumulants_, epsilon, highest_tilt_);
  }
  [[nodiscard]] Saddle at_log_delta(double log_delta) const {
    return saddle_at_log_delta(cumulants_, log_delta, highest_tilt_);
  }
  [[nodiscard]] const Saddle& saddle() const { return saddle_; }
  [[nodiscard]] CumulantValue cumulant_at(double tilt) const { return sum_at(cumulants_, tilt); }
  /// Whether the outlines carry the tilted laws: else the tilt is no good, and nor is a lattice for it.
  [[nodiscard]] bool placed() const { return placed_; }

  /// Whether the outlines, which end some 39 standard deviations out, reach an epsilon.
  [[nodiscard]] bool reaches(double epsilon) const;
  /// log P of an infinite loss, of a hit with finite losses, and of either: the lower ends those of hits that gain.
  [[nodiscard]] const Bracket& log_infinity() const { return log_infinity_; }
  [[nodiscard]] const Bracket& log_hits() const { return log_hits_; }
  [[nodiscard]] const Bracket& log_beyond() const { return log_beyond_; }
  [[nodiscard]] Hits hits() const;
  [[nodiscard]] double releases() const { return total_count_; }
  /// Where each release's hits begin, to within the accuracy of its losses.
  [[nodiscard]] const std::vector<double>& cuts() const { return hit_above_; }

  /// The body's profile on a lattice, tilted.
  [[nodiscard]] LatticeProfile profile(Side side, LatticeBudget& budget) const;
  /// The lower one with no atoms split; null where there is no work for it.
  [[nodiscard]] std::unique_ptr<const LatticeProfile> lowered_profile(LatticeBudget& budget) const;
  /// The body's profile from its moments.
  [[nodiscard]] MomentBounds moments() const;

 private:
  [[nodiscard]] std::vector<CountedRelease> counted() const;
  [[nodiscard]] double typical_loss(std::size_t j) const;
  [[nodiscard]] double cut_of(std::size_t j, double log_mass, double log_q_mass) const;
  void cut(const std::vector<double>& losses);
  void weigh_hits();

  const Terms& terms_;
  std::size_t most_cells_;  ///< of a release's cumulant
  std::vector<std::shared_ptr<const std::vector<LossCell>>> outlines_;
  std::vector<CutPair> releases_;
  mutable KeptCuts cuts_;          ///< of releases_
  std::vector<double> hit_above_;  ///< where each release's hits begin
  std::vector<CountedCumulant> cumulants_;
  Bracket log_infinity_, log_hits_, log_beyond_;
  HitEvent gaining_;
  double gaining_at_ = -infinity;  ///< the last epsilon cut for: hits count that gain there
  double highest_tilt_ = 1e14;
  double total_count_ = 0;
  Saddle saddle_;
  bool placed_ = true;
};

}  // namespace pld
