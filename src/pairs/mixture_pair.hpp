#pragma once

#include <vector>

#include "pairs/analytic_law.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// One of several pairs, drawn with fixed weights, where the draw is told beside the output: its profile is the
/// weighted sum of theirs, delta = sum_i w_i delta_i. By joint convexity it dominates the mixtures (sum w_i P_i, sum
/// w_i Q_i), and whatever each of its pairs dominates.
class MixturePair final : public DominatingPair, public AnalyticPair {
 public:
  struct Part {
    double log_weight = 0;
    PairPtr pair;
  };

  /// One part or more; the weights' sum is 1.
  explicit MixturePair(std::vector<Part> parts) : parts_(std::move(parts)) {}

  [[nodiscard]] double log_mass_at_plus_infinity() const override;
  [[nodiscard]] double log_q_mass_at_minus_infinity() const override;
  [[nodiscard]] LossRange range() const override;
  [[nodiscard]] std::vector<LossCell> atoms(LossRange within) const override;
  [[nodiscard]] bool has_density() const override;
  void cells(std::span<const double> edges, std::vector<LossCell>& out) const override;
  [[nodiscard]] double cell_cost() const override;
  [[nodiscard]] LossCell above(double z) const override;
  [[nodiscard]] LossCell below(double z) const override;
  [[nodiscard]] double loss_error(LossRange within) const override;
  [[nodiscard]] LossCell above_and_doubtful(double z) const override;
  [[nodiscard]] std::vector<LossCell> outline() const override;
  [[nodiscard]] bool symmetric() const override;
  [[nodiscard]] double log_tail_moment(double order, double from) const override;
  [[nodiscard]] double infinite_order() const override;
  [[nodiscard]] bool analytic() const override;
  [[nodiscard]] std::optional<AnalyticLaw> analytic_law(double log_negligible) const override;
  /// E e^{(a-1) loss} is a mean of the parts', so no divergence is above the largest of theirs.
  [[nodiscard]] double renyi_slope() const override;

 private:
  std::vector<Part> parts_;
};

}  // namespace pld
