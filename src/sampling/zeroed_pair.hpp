#pragma once

#include <algorithm>
#include <memory>

#include "pairs/additive_noise_pair.hpp"
#include "pairs/analytic_law.hpp"
#include "pairs/atomic_pair.hpp"
#include "sampling/quotient_density.hpp"
#include "sampling/sampled_pair.hpp"

namespace pld {

/// Noise X on a batch of fixed size, 0 < q < 1, whose other records all move it by -s where the one that is zeroed
/// moves it by s (docs/fixed_batches.md): with chance q the batch has the record, else another one in its place,
///   P = (1-q) X + q (X + 2 s),  Q = (1-q) X + q (X + s),
/// outcomes counted from where the other records move it. The loss is L(2 s) - L(s), with L(d) that of a sample of (X +
/// d, X): positive above the outcome 3 s / 2, where it rises, and negative below. This is the part above.
class ZeroedPair final : public OutcomePair, public AnalyticPair, public KnownLeastRenyi {
 public:
  /// Domain: the noise is unbounded.
  ZeroedPair(const LocationFamily& family, double q);

  [[nodiscard]] LossCell between(double a, double b) const override { return cell(std::max(a, line().from), b); }
  [[nodiscard]] double cell_cost() const override { return odds_ ? 24 : 36 * once_.moved->loss_cost(); }
  [[nodiscard]] double loss_error(LossRange within) const override;
  [[nodiscard]] double edge_error(double z) const override;
  [[nodiscard]] double log_tail_moment(double order, double from) const override;
  [[nodiscard]] double infinite_order() const override { return once_.moved->infinite_order(); }
  /// P is at least q of X + 2 s here, and Q at most X + s; what the pair has left of this part counts as 1 at most.
  [[nodiscard]] double least_renyi(double order) const override;
  [[nodiscard]] bool analytic() const override { return once_.moved->has_outcomes(); }
  [[nodiscard]] std::optional<AnalyticLaw> analytic_law(double log_negligible) const override;

  /// The part below, as if outcomes were told in a few steps: no more than all is lost so.
  [[nodiscard]] AtomicPair falls_in_steps() const;

 private:
  /// (X + d, X), and its sample.
  struct Sample {
    Sample(const LocationFamily& family, double d, double q)
        : moved(std::make_shared<AdditiveNoisePair>(family.noise, d)), drawn(moved, q, Direction::remove) {}
    [[nodiscard]] double loss_of(double x) const { return drawn.removed_loss(moved->loss_of(x)); }
    [[nodiscard]] LossCell between(double a, double b) const { return drawn.sampled(moved->between(a, b)); }
    [[nodiscard]] PlacedDensity density(double log_negligible) const;
    std::shared_ptr<const AdditiveNoisePair> moved;
    SampledPair drawn;
  };
  [[nodiscard]] double loss_at(double x) const override { return twice_.loss_of(x) - once_.loss_of(x); }
  [[nodiscard]] std::optional<double> known_outcome(double z) const override;
  [[nodiscard]] LossCell cell(double a, double b) const;
  [[nodiscard]] double times_counted() const;
  [[nodiscard]] double error_over(double begin, double from, double to, double end) const;
  [[nodiscard]] double shift() const { return once_.moved->location_family()->shift; }

  Sample once_, twice_;
  std::optional<double> odds_{};  ///< of normal noise: (1-q)/q e^{-s^2}
};

/// What a record loses that is zeroed in such a batch, with the others that serve it worst: above 0 they are all
/// opposite to it, below 0 all like it, where the loss is that of (X + s, (1-q) (X + s) + q X).
[[nodiscard]] PairPtr zeroed_pair(const LocationFamily& family, double q, Direction direction);

/// What it loses where the others are all opposite to it, a little less: outcomes without a gain are told in steps.
[[nodiscard]] PairPtr zeroed_among_opposite(const LocationFamily& family, double q, Direction direction);

}  // namespace pld
