#pragma once

#include "pairs/monotone_pair.hpp"

namespace pld {

/// What an epoch of shuffled batches tells about a record, at least. Of T releases of noise N(0, 1) one chosen at
/// random is moved, by p_shift under P, by q_shift under Q; of the T outputs only the largest is looked at. Its
/// distribution functions are Phi(x - p_shift) Phi(x)^(T-1) and Phi(x - q_shift) Phi(x)^(T-1).
///
/// The loss rises with the largest output. For either shift s the density is phi(x) Phi(x)^(T-2) times A_s + B_s,
/// A_s = e^{s x - s^2/2} Phi(x), B_s = (T-1) Phi(x - s). With p the P shift and q < p the Q shift, A_p / A_q and
/// B_p / B_q rise because Phi is log-concave. The first is nowhere below the second because phi / Phi falls, and the
/// share of A_q in A_q + B_q rises because the slope of phi / Phi lies in (-1, 0).
class ShuffledMaximumPair final : public MonotonePair {
 public:
  /// 0 <= q_shift < p_shift, batches >= 2.
  ShuffledMaximumPair(double p_shift, double q_shift, double batches);

  [[nodiscard]] double cell_cost() const override { return 40; }
  [[nodiscard]] double log_tail_moment(double order, double from) const override;
  /// That of the outputs themselves, unshuffled.
  [[nodiscard]] double renyi_slope() const override;

 private:
  [[nodiscard]] double loss_at(double x) const override;
  [[nodiscard]] double loss_error_at(double x) const override;
  [[nodiscard]] double log_q_density(double x) const override;
  [[nodiscard]] double log_p_density(double x) const override { return log_q_density(x) + loss_of(x); }
  [[nodiscard]] std::optional<double> log_p_interval(double a, double b) const override;
  [[nodiscard]] std::optional<double> log_q_interval(double a, double b) const override;

  [[nodiscard]] double log_moved_factor(double x, double shift) const;
  [[nodiscard]] double log_q_density_slope(double x) const;
  [[nodiscard]] double log_at_most(double x, double shift) const;
  [[nodiscard]] double log_more_than(double x, double shift) const;
  [[nodiscard]] std::optional<double> log_interval(double a, double b, double shift) const;

  double p_shift_, q_shift_, others_;
};

}  // namespace pld
