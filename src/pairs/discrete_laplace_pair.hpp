#pragma once

#include "pairs/ordered_law.hpp"
#include "pairs/whole_outcome_pair.hpp"

namespace pld {

/// Noise with mass proportional to rho^|x|, rho = e^{-a}, about the integer s (P) and about 0 (Q). At x the loss is
/// a (2x - s) for 0 <= x <= s; all x <= 0 share the lowest, all x >= s the highest: s + 1 atoms. Symmetric.
class DiscreteLaplacePair final : public WholeOutcomePair, public FamilyMember {
 public:
  DiscreteLaplacePair(double a, double sensitivity);

  [[nodiscard]] LossRange range() const override { return {loss(0), loss(sensitivity_)}; }
  [[nodiscard]] std::vector<LossCell> atoms(LossRange within) const override;
  [[nodiscard]] LossCell above(double z) const override;
  [[nodiscard]] LossCell below(double z) const override;
  [[nodiscard]] double loss_error(LossRange within) const override;
  [[nodiscard]] std::optional<ExactLoss> exact_highest() const override {
    return ExactLoss{.rate = a_, .times = sensitivity_};
  }
  [[nodiscard]] std::optional<double> spacing() const override { return 2 * a_; }
  [[nodiscard]] std::vector<LossCell> outline() const override;
  [[nodiscard]] bool symmetric() const override { return true; }
  [[nodiscard]] LossCell at(double x) const override;
  [[nodiscard]] LossCell from(double x) const override;
  [[nodiscard]] LossCell up_to(double x) const override;
  [[nodiscard]] double flat_from() const override { return sensitivity_; }
  /// More noise is post-processing of less: with s for the larger rho, 1 - 2 rho cos t + rho^2 is rho / s times 1 - 2 s
  /// cos t + s^2 and (1 - rho / s)(1 - rho s) >= 0 besides. The quotient of the two characteristic functions is then
  /// that of a mixture of 0 and discrete Laplace noise.
  [[nodiscard]] std::optional<OrderedLaw> ordered() const override;

 private:
  [[nodiscard]] double loss(double x) const { return a_ * (2 * x - sensitivity_); }
  [[nodiscard]] double first_above(double z) const;
  [[nodiscard]] LossCell atom(double x) const;
  [[nodiscard]] double log_tail(double x) const;
  [[nodiscard]] LossCell inner_block(double first, double last) const;

  double a_, sensitivity_;
  double log_end_mass_;  // of all x >= s under P: log 1 / (1 + rho)
};

}  // namespace pld
