#pragma once

#include <memory>

#include "pairs/ordered_law.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// Atoms at +-loss that carry `finite` of the mass in randomized response's proportion e^loss : 1, and the rest at
/// +-infinity. One atom where loss is 0, none where finite is 0. Symmetric.
class TwoAtomPair final : public DominatingPair, public FamilyMember {
 public:
  /// `loss` >= 0, finite, within loss_error of exact; logs of the finite mass and of the rest.
  TwoAtomPair(double loss, double loss_error, double log_finite, double log_infinite);

  /// A loss >= 0 and a mass at infinity that are known exactly.
  TwoAtomPair(const ExactLoss& loss, double infinite_mass);

  [[nodiscard]] double log_mass_at_plus_infinity() const override { return log_infinite_; }
  [[nodiscard]] double log_q_mass_at_minus_infinity() const override { return log_infinite_; }
  [[nodiscard]] std::optional<DoublesAround> infinite_mass() const override { return infinite_mass_; }
  [[nodiscard]] LossRange range() const override { return {-loss_, loss_}; }
  [[nodiscard]] std::vector<LossCell> atoms(LossRange within) const override;
  [[nodiscard]] bool has_density() const override { return false; }
  void cells(std::span<const double>, std::vector<LossCell>&) const override {}
  [[nodiscard]] LossCell above(double z) const override;
  [[nodiscard]] LossCell below(double z) const override;
  [[nodiscard]] double loss_error(LossRange) const override { return loss_error_; }
  [[nodiscard]] std::optional<ExactLoss> exact_highest() const override { return exact_; }
  [[nodiscard]] std::optional<double> spacing() const override;
  [[nodiscard]] std::vector<LossCell> outline() const override { return atoms_; }
  [[nodiscard]] bool symmetric() const override { return true; }
  /// By the loss, with the same mass at infinity: (epsilon, delta)-DP implies that of a larger epsilon.
  [[nodiscard]] std::optional<OrderedLaw> ordered() const override;

 private:
  double loss_, loss_error_, log_finite_, log_infinite_;
  std::optional<ExactLoss> exact_{};
  std::optional<DoublesAround> infinite_mass_{};
  std::vector<LossCell> atoms_;
};

/// The pair of a mechanism that tells nothing.
[[nodiscard]] inline PairPtr pair_without_loss() { return std::make_shared<TwoAtomPair>(ExactLoss{}, 0); }

}  // namespace pld
