#pragma once

#include "pairs/analytic_law.hpp"
#include "pairs/least_renyi.hpp"
#include "pairs/ordered_law.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// N(mu/2, 1) against N(-mu/2, 1), mu = sensitivity / sigma: the loss at t is mu t, and the mirror t -> -t swaps the
/// two. An interval of losses is an interval of t.
class GaussianPair final : public DominatingPair, public FamilyMember, public AnalyticPair, public KnownLeastRenyi {
 public:
  explicit GaussianPair(double sensitivity, double sigma = 1)
      : sensitivity_(sensitivity), sigma_(sigma), mu_(sensitivity / sigma), half_(mu_ / 2) {}

  [[nodiscard]] LossRange range() const override { return {}; }
  [[nodiscard]] std::vector<LossCell> atoms(LossRange) const override { return {}; }
  [[nodiscard]] bool has_density() const override { return true; }
  void cells(std::span<const double> edges, std::vector<LossCell>& out) const override;
  [[nodiscard]] LossCell above(double z) const override { return cell(z / mu_, infinity); }
  [[nodiscard]] LossCell below(double z) const override { return cell(-infinity, z / mu_); }
  [[nodiscard]] double loss_error(LossRange within) const override;
  [[nodiscard]] std::vector<LossCell> outline() const override;
  [[nodiscard]] bool symmetric() const override { return true; }
  [[nodiscard]] std::optional<AnalyticLaw> analytic_law(double log_negligible) const override;
  [[nodiscard]] double log_tail_moment(double order, double from) const override;
  [[nodiscard]] double renyi_slope() const override;
  /// Exactly order mu^2 / 2.
  [[nodiscard]] double least_renyi(double order) const override;
  [[nodiscard]] std::optional<ExactSlope> exact_slope() const override;
  /// More noise is post-processing of less.
  [[nodiscard]] std::optional<OrderedLaw> ordered() const override {
    return OrderedLaw{
        "gaussian", {mu_}, [](const std::vector<double>& sizes) { return std::make_shared<GaussianPair>(sizes[0]); }};
  }
  [[nodiscard]] std::optional<LocationFamily> location_family() const override;
  [[nodiscard]] std::optional<SampledGaussianLaw> sampled_gaussian() const override {
    return SampledGaussianLaw{.mu = mu_, .q = 1, .direction = Direction::remove};
  }

 private:
  [[nodiscard]] LossCell cell(double left, double right) const;
  [[nodiscard]] LossCell narrow_cell(double middle, double width, int terms) const;
  [[nodiscard]] LossCell wide_cell(double left, double width) const;

  double sensitivity_, sigma_, mu_, half_;
};

}  // namespace pld
