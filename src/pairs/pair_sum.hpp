#pragma once

#include <vector>

#include "pairs/analytic_law.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// Several pairs of laws, or of parts of laws, on outcomes that tell which: each counts with its weight, and the
/// profile is the weighted sum of theirs.
class PairSum : public DominatingPair, public AnalyticPair {
 public:
  struct Part {
    double log_weight = 0;
    PairPtr pair;
  };

  /// One part or more.
  explicit PairSum(std::vector<Part> parts) : parts_(std::move(parts)) {}

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
  [[nodiscard]] double edge_error(double z) const override;
  [[nodiscard]] LossCell above_and_doubtful(double z) const override;
  [[nodiscard]] std::vector<LossCell> outline() const override;
  [[nodiscard]] double log_tail_moment(double order, double from) const override;
  [[nodiscard]] double infinite_order() const override;
  [[nodiscard]] bool analytic() const override;
  [[nodiscard]] std::optional<AnalyticLaw> analytic_law(double log_negligible) const override;

 protected:
  [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }

 private:
  std::vector<Part> parts_;
};

}  // namespace pld
