#pragma once

#include "pairs/additive_noise_pair.hpp"
#include "pairs/analytic_law.hpp"
#include "sampling/group_law.hpp"

namespace pld {

/// A group's shift mixture of noise with a density, symmetric, log-concave and positive everywhere (docs/groups.md):
/// against X where the group is removed; where it is replaced, of shifts by j s against those by -j s, so that the loss
/// at x is that of the one mixture at x less that at -x.
class GroupPair final : public GroupLaw<OutcomePair, AdditiveNoisePair>, public AnalyticPair, public FamilyMember {
 public:
  GroupPair(const LocationFamily& family, int group, double q, bool replaced);

  [[nodiscard]] double cell_cost() const override;
  [[nodiscard]] LossCell between(double a, double b) const override;
  [[nodiscard]] double loss_error(LossRange within) const override;
  [[nodiscard]] double edge_error(double z) const override;
  [[nodiscard]] double log_tail_moment(double order, double from) const override;
  [[nodiscard]] bool analytic() const override;
  /// By the shift and by q: docs/groups.md.
  [[nodiscard]] std::optional<OrderedLaw> ordered() const override;
  [[nodiscard]] std::optional<AnalyticLaw> analytic_law(double log_negligible) const override;

 private:
  [[nodiscard]] double loss_at(double x) const override;
  [[nodiscard]] double mixed_loss(double x) const;
  [[nodiscard]] LossCell mixed(double a, double b) const;
  template <class Of>
  [[nodiscard]] double mixed_error(const Of& of) const;
};

}  // namespace pld
