#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

#include "pairs/least_renyi.hpp"
#include "pairs/whole_outcome_pair.hpp"

namespace pld {

/// Noise with mass proportional to e^{-x^2 / (2 sigma^2)} about the integer s (P) and about 0 (Q). At x the loss is
/// s (2x - s) / (2 sigma^2); infinitely many atoms, from sigma = 10,000 on told by cells. The mirror x -> s - x swaps P
/// and Q.
class DiscreteGaussianPair final : public WholeOutcomePair, public KnownLeastRenyi {
 public:
  DiscreteGaussianPair(double sigma, double sensitivity);

  [[nodiscard]] double sigma() const { return sigma_; }
  [[nodiscard]] double shift() const { return sensitivity_; }

  [[nodiscard]] LossRange range() const override { return {}; }
  [[nodiscard]] std::vector<LossCell> atoms(LossRange within) const override;
  [[nodiscard]] bool has_density() const override { return sigma_ >= least_dense_sigma; }
  void cells(std::span<const double> edges, std::vector<LossCell>& out) const override;
  [[nodiscard]] double cell_cost() const override { return has_density() ? 4 : 1; }
  [[nodiscard]] LossCell above(double z) const override { return from(first_above(z)); }
  [[nodiscard]] LossCell below(double z) const override;
  [[nodiscard]] double loss_error(LossRange within) const override;
  [[nodiscard]] std::optional<double> spacing() const override {
    return has_density() ? std::nullopt : std::optional(spacing_);
  }
  [[nodiscard]] std::vector<LossCell> outline() const override;
  [[nodiscard]] double log_tail_moment(double order, double from) const override;
  [[nodiscard]] double renyi_slope() const override;
  /// With sigma >= 1 all but renyi_slope() times the order.
  [[nodiscard]] double least_renyi(double order) const override;
  [[nodiscard]] bool symmetric() const override { return true; }
  [[nodiscard]] LossCell at(double x) const override;
  [[nodiscard]] LossCell from(double x) const override;
  [[nodiscard]] LossCell up_to(double x) const override;
  [[nodiscard]] LossCell between(double first, double last) const override;
  [[nodiscard]] std::shared_ptr<const WholeOutcomePair> moved(double times) const override;

 private:
  static constexpr double least_dense_sigma = 1e4;
  [[nodiscard]] double loss(double x) const { return spacing_ * (x - 0.5 * sensitivity_); }
  [[nodiscard]] double first_above(double z) const;
  [[nodiscard]] double log_mass(double x) const;
  [[nodiscard]] bool is_dense(double x) const;
  template <class Factor>
  [[nodiscard]] double integral_from(double x, const Factor& factor) const;
  [[nodiscard]] double log_mass_relative(double x, double reference) const;
  struct PanelSums {
    double mass = 0, growth = 0;
  };
  [[nodiscard]] PanelSums panel_sums(double x, double count) const;
  struct Window {
    double first = 0, last = 0, peak = 0;
  };
  [[nodiscard]] Window window_about(double centre, double first, double last) const;
  [[nodiscard]] double scaled_tail(double x) const;
  [[nodiscard]] double summed_tail(double x) const;
  [[nodiscard]] double scaled_growth(double x) const;
  [[nodiscard]] double log_tail(double x) const;
  [[nodiscard]] double loss_from(double x) const;
  [[nodiscard]] double loss_from_right(double x) const;

  /// Those summed so far, shared with all moves of a group, which ask for the same ones.
  struct KnownTails {
    std::mutex telling;
    std::unordered_map<double, double> scaled;
  };

  double sigma_, sensitivity_, spacing_, log_normaliser_;
  std::shared_ptr<KnownTails> tails_ = std::make_shared<KnownTails>();
};

}  // namespace pld
