#pragma once

#include "pairs/analytic_law.hpp"
#include "pairs/concentrated_slope.hpp"
#include "pairs/ordered_law.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// Laplace noise of a scale about the sensitivity (P) and about 0 (Q), both divided by the scale: 1, epsilon and 0.
/// Outside [0, epsilon] the loss is -epsilon or epsilon, two atoms; between, at x, it is 2x - epsilon. Symmetric.
class LaplacePair final : public DominatingPair, public FamilyMember, public AnalyticPair {
 public:
  explicit LaplacePair(double sensitivity, double scale = 1)
      : sensitivity_(sensitivity), scale_(scale), epsilon_(sensitivity / scale) {}

  [[nodiscard]] LossRange range() const override { return {-epsilon_, epsilon_}; }
  [[nodiscard]] std::vector<LossCell> atoms(LossRange within) const override;
  [[nodiscard]] bool has_density() const override { return true; }
  void cells(std::span<const double> edges, std::vector<LossCell>& out) const override;
  [[nodiscard]] LossCell above(double z) const override;
  [[nodiscard]] LossCell below(double z) const override;
  [[nodiscard]] double loss_error(LossRange within) const override;
  [[nodiscard]] std::optional<ExactLoss> exact_highest() const override {
    return ExactLoss{.rate = sensitivity_, .over = scale_};
  }
  [[nodiscard]] std::optional<double> spacing() const override { return 2 * epsilon_; }
  [[nodiscard]] double renyi_slope() const override { return slope_of_laplace(round_up(epsilon_)); }
  [[nodiscard]] std::vector<LossCell> outline() const override;
  [[nodiscard]] bool symmetric() const override { return true; }
  [[nodiscard]] std::optional<AnalyticLaw> analytic_law(double log_negligible) const override;
  [[nodiscard]] std::optional<LocationFamily> location_family() const override;
  /// More noise is post-processing of less: the quotient of two characteristic functions (1 + b^2 t^2) / (1 + c^2 t^2),
  /// b < c, is that of a mixture of 0 and Laplace noise.
  [[nodiscard]] std::optional<OrderedLaw> ordered() const override {
    return OrderedLaw{"laplace", {epsilon_}, [](const std::vector<double>& sizes) {
                        return std::make_shared<LaplacePair>(sizes[0]);
                      }};
  }

 private:
  [[nodiscard]] LossCell top_atom() const;
  [[nodiscard]] LossCell from(double z) const;

  double sensitivity_, scale_, epsilon_;
};

}  // namespace pld
