#pragma once

#include <algorithm>
#include <cmath>

#include "sampling/sampled_pair.hpp"

namespace pld {

/// What a Poisson sample makes of noise X that a record moves by s in the one data set and by -s in the other, 0 < q <
/// 1:
///   P = (1-q) X + q (X + s),  Q = (1-q) X + q (X - s),
/// X symmetric and log-concave. Both masses of some outcomes come from the pair (X + s, X), of
/// these outcomes and of their mirror images; with z its loss and L that of the sample, the loss at x is L(z(x)) -
/// L(z(-x)).
class OppositeSample {
 public:
  /// `moved`: (X + s, X); `twice_slope`: a bound of D_order / order, order > 1, of (X + 2 s, X).
  OppositeSample(PairPtr moved, double q, double twice_slope)
      : sample_(std::move(moved), q, Direction::remove),
        // Sampling lowers every divergence; and Q is at least (1-q) X: D_order(P || Q) <= D_order(P || X) - log(1-q).
        renyi_slope_(std::min(twice_slope, round_up(sample_.base()->renyi_slope() - std::log1p(-q), 4))) {}

  /// The cell of some outcomes, from the moved pair's cells of these and of their mirror images.
  [[nodiscard]] LossCell cell(const LossCell& moved, const LossCell& mirror) const {
    const LossCell p = sample_.sampled(moved), q = sample_.sampled(mirror);
    if (p.log_mass == -infinity || q.log_mass == -infinity) return {};
    return {.loss = p.loss - q.loss, .log_mass = p.log_mass, .log_q_mass = q.log_mass};
  }

  /// The sample against X.
  [[nodiscard]] const SampledPair& against_still() const { return sample_; }

  /// L(z) of the moved pair's loss z.
  [[nodiscard]] double sampled_loss(double z) const { return sample_.removed_loss(z); }

  /// The moved pair's losses at the outcomes that have the sample's losses within some range, or at their mirror
  /// images, and of the two tails that begin where those end.
  struct Moved {
    LossRange outcomes, tails;
  };
  [[nodiscard]] Moved moved(LossRange outcomes, const LossCell& below, const LossCell& above) const;

  /// Bound on the error of all losses `within`, those of outcomes and of tails: `right` is of z(x), `left` of z(-x).
  [[nodiscard]] double loss_error(LossRange within, const Moved& right, const Moved& left) const;
  /// The same of an outcome alone, from z(x) and z(-x).
  [[nodiscard]] double edge_error(double right, double left) const;

  /// Upper bound of log E_Q e^{order loss}, order > 1, over outcomes from one on, at which L(z(x)) is `from`.
  [[nodiscard]] double log_tail_moment(double order, double from) const;

  /// The moved pair's losses, sampled.
  [[nodiscard]] LossRange range() const { return sample_.range(); }
  [[nodiscard]] double infinite_order() const { return sample_.infinite_order(); }
  [[nodiscard]] double renyi_slope() const { return renyi_slope_; }
  /// Q is at least 1 - q of X.
  [[nodiscard]] RenyiLine renyi_line() const {
    return {round_up(-std::log1p(-sample_.q()), 4), sample_.base()->renyi_slope()};
  }
  /// P is a mixture, and Q at least 1 - q of X.
  [[nodiscard]] double most_renyi(double order) const;
  /// Right of 0 P is at least q of X + s, and Q at most X.
  [[nodiscard]] double least_renyi(double order) const {
    const double gains = least_renyi_of_gains(pld::least_renyi(*sample_.base(), order), order);
    return least_renyi_of_share(gains, std::log(sample_.q()), order);
  }

 private:
  SampledPair sample_;
  double renyi_slope_;
};

}  // namespace pld
