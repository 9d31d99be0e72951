#pragma once

#include "pld/pairs/dominating_pair.hpp"
#include "pld/pairs/ordered_law.hpp"

namespace pld {

/// N(mu/2, 1) against N(-mu/2, 1): the loss at t is mu t, and the mirror t -> -t swaps the two. An interval of losses
/// is an interval of t.
class GaussianPair final : public DominatingPair, public FamilyMember {
 public:
  explicit GaussianPair(double mu) : mu_(mu), half_(mu / 2) {}

  [[nodiscard]] LossRange range() const override { return {}; }
  [[nodiscard]] std::vector<LossCell> atoms(LossRange) const override { return {}; }
  [[nodiscard]] bool has_density() const override { return true; }
  void cells(std::span<const double> edges, std::vector<LossCell>& out) const override;
  [[nodiscard]] LossCell above(double z) const override { return cell(z / mu_, infinity); }
  [[nodiscard]] LossCell below(double z) const override { return cell(-infinity, z / mu_); }
  [[nodiscard]] double loss_error(LossRange within) const override;
  [[nodiscard]] std::vector<LossCell> outline() const override;
  [[nodiscard]] bool symmetric() const override { return true; }
  [[nodiscard]] double log_tail_moment(double order, double from) const override;
  [[nodiscard]] double renyi_slope() const override;
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

  double mu_, half_;
};

}  // namespace pld
