#pragma once

#include <algorithm>

#include "pairs/analytic_law.hpp"
#include "pairs/least_renyi.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// Losses above 0 of one pair, those below 0 of another, and at 0 what the two leave. Its profile is that of the first
/// pair at epsilon >= 0 and of the second below. Convex in e^epsilon it is where the mass at 0 is not below 0.
class SplicedPair final : public DominatingPair, public AnalyticPair, public KnownLeastRenyi {
 public:
  struct Sides {
    PairPtr gains, falls;  ///< the losses above 0 and those below 0; of all others of these pairs nothing is asked
    double mass_at_zero;   ///< P's and Q's, 0 to 1
    PairPtr unsampled;     ///< a pair whose profile is nowhere below
    bool symmetric;        ///< whether the two sides are one another's mirror images
  };
  explicit SplicedPair(Sides sides);

  [[nodiscard]] const PairPtr& unsampled() const { return sides_.unsampled; }

  [[nodiscard]] double log_mass_at_plus_infinity() const override { return gains().log_mass_at_plus_infinity(); }
  [[nodiscard]] double log_q_mass_at_minus_infinity() const override { return falls().log_q_mass_at_minus_infinity(); }
  [[nodiscard]] LossRange range() const override;
  [[nodiscard]] std::vector<LossCell> atoms(LossRange within) const override;
  [[nodiscard]] bool has_density() const override { return gains().has_density() || falls().has_density(); }
  void cells(std::span<const double> edges, std::vector<LossCell>& out) const override;
  [[nodiscard]] double cell_cost() const override { return std::max(gains().cell_cost(), falls().cell_cost()); }
  [[nodiscard]] LossCell above(double z) const override;
  [[nodiscard]] LossCell below(double z) const override;
  /// At 0 and below there are no gains, however far off theirs may be.
  [[nodiscard]] LossCell above_and_doubtful(double z) const override;
  [[nodiscard]] double loss_error(LossRange within) const override;
  [[nodiscard]] double edge_error(double z) const override;
  [[nodiscard]] std::optional<double> spacing() const override;
  [[nodiscard]] std::vector<LossCell> outline() const override;
  [[nodiscard]] double log_tail_moment(double order, double from) const override;
  [[nodiscard]] double infinite_order() const override { return gains().infinite_order(); }
  [[nodiscard]] bool analytic() const override { return has_analytic_law(gains()) && has_analytic_law(falls()); }
  [[nodiscard]] std::optional<AnalyticLaw> analytic_law(double log_negligible) const override;
  /// Divergences of orders above 1 rise with the profile.
  [[nodiscard]] double renyi_slope() const override { return unsampled()->renyi_slope(); }
  /// Losses below 0 only add to the mean that the gains have.
  [[nodiscard]] double least_renyi(double order) const override {
    return least_renyi_of_gains(pld::least_renyi(gains(), order), order);
  }
  [[nodiscard]] bool symmetric() const override { return sides_.symmetric; }

 private:
  [[nodiscard]] const DominatingPair& gains() const { return *sides_.gains; }
  [[nodiscard]] const DominatingPair& falls() const { return *sides_.falls; }
  [[nodiscard]] LossCell sum_over(double low, double high) const;
  [[nodiscard]] std::optional<LossCell> rest_of(const LossCell& part) const;

  Sides sides_;
  LossCell at_zero_{};
};

/// Sampling under a symmetric relation, of a base pair (P, Q): the gains of ((1-g) Q + g P, Q), the falls of (P, (1-g)
/// P
/// + g Q), and at 0 the base's own atom there and (1-g) TV(P, Q), 0 < g < 1.
[[nodiscard]] PairPtr spliced_sample(const PairPtr& base, double rate);

}  // namespace pld
