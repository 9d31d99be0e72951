#pragma once

#include <optional>
#include <vector>

#include "pairs/analytic_law.hpp"
#include "pairs/least_renyi.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// What a Poisson sample makes of noise X that each of k records moves by s: P = sum_j w_j (X + j s), j = 0 to k, w_j
/// the chance that j of them are drawn, against Q = X. Everything of it comes from the pairs (X + j s, X), j = 1 to k.
class ShiftMixture {
 public:
  /// 0 < q < 1.
  ShiftMixture(int group, double q);

  /// log P/Q at an outcome, from the pairs' losses there. Error: see loss_error().
  [[nodiscard]] double loss(const std::vector<double>& losses) const;

  /// What one of the pairs has at some outcomes: losses within a range, each off by no more than `error`.
  struct Told {
    LossRange losses;
    double error = 0;
  };
  /// Bound on the error of all losses at these outcomes.
  [[nodiscard]] double loss_error(const std::vector<Told>& pairs) const;

  /// The cell of some outcomes, from the pairs' cells of these.
  [[nodiscard]] LossCell cell(const std::vector<LossCell>& cells) const;

  /// Upper bound of log E_Q e^{order loss}, order > 1, over outcomes of which Q has e^log_mass and the pairs these
  /// moments.
  [[nodiscard]] double log_moment(double log_mass, const std::vector<double>& log_moments) const;

  /// Its law against X, of standard normal X, over outcomes that have X about 0.
  [[nodiscard]] AnalyticLaw law_of_normal(double s, double log_negligible) const;
  [[nodiscard]] double log_weight(std::size_t drawn) const { return log_weights_[drawn]; }
  [[nodiscard]] double log_weight_of_none() const { return log_weights_.front(); }

  /// Lower bound of the order's divergence against X, or where the group is replaced against the mirror image, from
  /// the pair (X + k s, X): P is at least w_k of X + k s, and Q at most X, or right of 0 at most X.
  [[nodiscard]] double least_renyi(const DominatingPair& farthest, bool replaced, double order) const;
  /// Where the group is replaced Q is at least w_0 of X.
  [[nodiscard]] RenyiLine renyi_line(const DominatingPair& farthest, bool replaced) const;
  /// Upper bound of it, from slopes of all the pairs' divergences.
  [[nodiscard]] double most_renyi(const std::vector<double>& slopes, bool replaced, double order) const;

  [[nodiscard]] double q() const { return q_; }

 private:
  [[nodiscard]] std::optional<double> error_near_zero(const std::vector<Told>& pairs) const;

  double q_;
  std::vector<double> log_weights_, weights_;  ///< of 0 to k
};

}  // namespace pld
