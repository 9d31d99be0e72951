#pragma once

#include <optional>

#include "pairs/outcome_pair.hpp"

namespace pld {

/// A pair of densities on the line of outcomes. A family gives the densities and interval masses; masses of narrow
/// cells are found by quadrature, both P's and Q's from the same nodes.
class MonotonePair : public OutcomePair {
 public:
  [[nodiscard]] double loss_error(LossRange within) const override;
  [[nodiscard]] double edge_error(double z) const override;
  [[nodiscard]] LossCell between(double a, double b) const override;
  [[nodiscard]] double cell_cost() const override { return 8; }  ///< of many side by side

 private:
  /// Bound on the error of the loss at outcomes from the centre to x, the rounding of x included.
  [[nodiscard]] virtual double loss_error_at(double x) const = 0;
  [[nodiscard]] virtual double log_q_density(double x) const = 0;
  [[nodiscard]] virtual double log_p_density(double x) const = 0;
  /// log mass of an interval: error <= 14 u (1 + |result|), or nothing where that is not within reach. An infinite end
  /// never is out of reach.
  [[nodiscard]] virtual std::optional<double> log_p_interval(double a, double b) const = 0;
  [[nodiscard]] virtual std::optional<double> log_q_interval(double a, double b) const = 0;

  std::size_t cells_at_once(std::span<const double> edges, Walk& walk, std::vector<LossCell>& out) const override;
  template <class Cells>
  std::size_t cells_of_panel(std::span<const double> edges, Walk& walk, std::vector<LossCell>& out) const;
  [[nodiscard]] LossCell smooth_cell(double a, double b, int depth) const;
  [[nodiscard]] LossCell analytic_cell(double a, double b, bool tiny) const;
  [[nodiscard]] bool is_narrow(double a, double b) const;
  [[nodiscard]] bool is_narrow_within(double margin, double a, double b) const;
  template <class LogDensity>
  [[nodiscard]] std::optional<double> log_flat_interval(double a, double b, const LogDensity& log_density) const;
};

}  // namespace pld
