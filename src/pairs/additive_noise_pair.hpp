#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "pairs/analytic_law.hpp"
#include "pairs/least_renyi.hpp"
#include "pairs/monotone_pair.hpp"
#include "pairs/ordered_shifts.hpp"
#include "pld/pairs/symmetric_noise.hpp"

namespace pld {

/// X + s against X. The mirror x -> s - x swaps the two.
class AdditiveNoisePair final : public MonotonePair, public AnalyticPair, public KnownLeastRenyi, public FamilyMember {
 public:
  /// s > 0, less than the length of the noise's support.
  AdditiveNoisePair(std::shared_ptr<const SymmetricLogConcaveNoise> noise, double s);

  [[nodiscard]] double log_mass_at_plus_infinity() const override;
  [[nodiscard]] double log_q_mass_at_minus_infinity() const override { return log_mass_at_plus_infinity(); }
  [[nodiscard]] double loss_cost() const { return noise_->loss_cost(); }
  [[nodiscard]] bool symmetric() const override { return true; }
  [[nodiscard]] double log_tail_moment(double order, double from) const override;
  [[nodiscard]] std::optional<LocationFamily> location_family() const override { return LocationFamily{noise_, s_}; }
  [[nodiscard]] bool analytic() const override { return analytic_noise() != nullptr; }
  /// Whether the analytic law is one density over outcomes, to be asked anywhere.
  [[nodiscard]] bool has_outcomes() const { return analytic() && analytic_noise()->has_outcomes(); }
  [[nodiscard]] std::optional<AnalyticLaw> analytic_law(double log_negligible) const override;
  /// By the shift (Dong, Roth, Su 2022, appendix A).
  [[nodiscard]] std::optional<OrderedLaw> ordered() const override {
    return ordered_by_shift(*noise_, " on all data", {s_}, [noise = noise_](const std::vector<double>& sizes) {
      return std::make_shared<AdditiveNoisePair>(noise, sizes[0]);
    });
  }
  [[nodiscard]] double infinite_order() const override { return noise_->infinite_order(s_); }
  [[nodiscard]] double renyi_slope() const override {
    return std::min(noise_->renyi_slope(s_), DominatingPair::renyi_slope());
  }
  // Of normal noise order s^2 / 2, s being rounded once.
  [[nodiscard]] double least_renyi(double order) const override;

 private:
  [[nodiscard]] const AnalyticNoise* analytic_noise() const { return dynamic_cast<const AnalyticNoise*>(noise_.get()); }
  [[nodiscard]] double loss_at(double x) const override;
  [[nodiscard]] double loss_error_at(double x) const override;
  [[nodiscard]] double log_q_density(double x) const override { return noise_->log_density(x); }
  [[nodiscard]] double log_p_density(double x) const override { return noise_->log_density(x - s_); }
  [[nodiscard]] std::optional<double> log_p_interval(double a, double b) const override;
  [[nodiscard]] std::optional<double> log_q_interval(double a, double b) const override;

  std::shared_ptr<const SymmetricLogConcaveNoise> noise_;
  double s_;
};

}  // namespace pld
