#pragma once

#include "pairs/analytic_law.hpp"
#include "pairs/ordered_law.hpp"
#include "pairs/renyi_curve.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// Losses with the P density e^{z/2} / (4 sinh(epsilon/2)) on [-epsilon, epsilon], of epsilon within 4 u.
[[nodiscard]] AnalyticLaw law_of_range(double epsilon);

/// The profile sup_t delta_t(x) = (e^{epsilon/2} - e^{x/2})^2 / (e^epsilon - 1), |x| <= epsilon, of the two-point pairs
/// with losses t and t - epsilon, 0 <= t <= epsilon (at t = (epsilon + x)/2). It is convex in e^x, so a pair has it:
/// its losses have the P density e^{z/2} / (4 sinh(epsilon/2)) and the Q density e^{-z/2} / (4 sinh(epsilon/2)) on
/// [-epsilon, epsilon].
class BoundedRangePair final : public DominatingPair, public FamilyMember, public AnalyticPair {
 public:
  /// Of `times` times `rate`, a whole number, which need not be a double.
  explicit BoundedRangePair(double rate, double times = 1);

  /// The supremum over t of the two-point pairs' divergences, less than the pair's: with c = (1 - e^{-a epsilon}) / (1
  /// - e^{-epsilon}) it is at e^t = (a-1)/a e^epsilon (1 - e^{-a epsilon}) / (1 - e^{-(a-1) epsilon}), where E_Q r^a =
  /// e^{(a-1) t} c / a (a pair within a range has, of all with its mean ratio of 1, the largest moments at the ends).
  [[nodiscard]] const RenyiCurve* renyi_curve() const override { return &curve_; }

  [[nodiscard]] LossRange range() const override { return {-epsilon_, epsilon_}; }
  [[nodiscard]] std::vector<LossCell> atoms(LossRange) const override { return {}; }
  [[nodiscard]] bool has_density() const override { return true; }
  void cells(std::span<const double> edges, std::vector<LossCell>& out) const override;
  [[nodiscard]] LossCell above(double z) const override { return cell(z, epsilon_); }
  [[nodiscard]] LossCell below(double z) const override { return cell(-epsilon_, z); }
  [[nodiscard]] double loss_error(LossRange) const override { return 4 * unit_roundoff * epsilon_; }
  [[nodiscard]] std::optional<ExactLoss> exact_highest() const override {
    return ExactLoss{.rate = rate_, .times = times_};
  }
  [[nodiscard]] std::vector<LossCell> outline() const override;
  [[nodiscard]] bool symmetric() const override { return true; }
  [[nodiscard]] std::optional<AnalyticLaw> analytic_law(double) const override { return law_of_range(epsilon_); }
  /// By epsilon: losses in a range of one length are in one of a larger length.
  [[nodiscard]] std::optional<OrderedLaw> ordered() const override {
    return OrderedLaw{"bounded range", {epsilon_}, [](const std::vector<double>& sizes) {
                        return std::make_shared<BoundedRangePair>(sizes[0]);
                      }};
  }

 private:
  [[nodiscard]] LossCell cell(double left, double right) const;

  double rate_, times_, epsilon_, log_total_;
  RenyiCurve curve_;
};

}  // namespace pld
