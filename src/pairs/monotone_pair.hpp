#pragma once

#include <optional>
#include <vector>

#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// A pair of densities on the real line whose loss does not fall from left to right: an interval of losses is an
/// interval of outcomes. A family gives densities, interval masses and the loss as functions of the outcome; edges are
/// found by root search, and masses of narrow cells by quadrature, both P's and Q's from the same nodes.
class MonotonePair : public DominatingPair {
 public:
  [[nodiscard]] LossRange range() const override { return range_; }
  [[nodiscard]] std::vector<LossCell> atoms(LossRange within) const override;
  [[nodiscard]] bool has_density() const override { return line_.rising_from < line_.rising_to; }
  void cells(std::span<const double> edges, std::vector<LossCell>& out) const override;
  [[nodiscard]] double cell_cost() const override { return 6; }
  [[nodiscard]] LossCell above(double z) const override;
  [[nodiscard]] LossCell below(double z) const override;
  [[nodiscard]] double loss_error(LossRange within) const override;
  [[nodiscard]] std::optional<double> spacing() const override;
  [[nodiscard]] std::vector<LossCell> outline() const override;

 protected:
  /// Where things lie on the line of outcomes.
  struct Line {
    double from = -infinity, to = infinity;  ///< the outcomes that both P and Q have
    double rising_from = -infinity,
           rising_to = infinity;    ///< those where the loss is not flat: left and right are atoms
    double centre = 0, step = 1;    ///< where searches begin, and their first step
    std::vector<double> turns{};    ///< Q's density is monotone, and e^loss with it, between these
    bool analytic_at_turns = true;  ///< whether quadrature may come close to a turn
    double power_at_turns = 1;      ///< of the distance from a turn, by which a density's logarithm falls there
    std::vector<double> outline{};  ///< edges that outline the law, increasing
  };
  MonotonePair() = default;

  /// The outcome with loss z, or the end of the outcomes on that side.
  [[nodiscard]] double outcome_at(double z) const { return outcome_of(z, line_.centre, line_.step); }

  /// To be called once the derived object can answer the functions below.
  void place(Line line, LossRange range);

 private:
  /// Loss at an outcome within (rising_from, rising_to).
  [[nodiscard]] virtual double loss_at(double x) const = 0;
  /// Bound on the error of loss_at() from the centre to x, the rounding of x included.
  [[nodiscard]] virtual double loss_error_at(double x) const = 0;
  [[nodiscard]] virtual double log_q_density(double x) const = 0;
  [[nodiscard]] virtual double log_p_density(double x) const { return log_q_density(x) + loss_at(x); }
  /// log mass of an interval: error <= 14 u (1 + |result|), or nothing where that is not within reach. An infinite end
  /// never is out of reach.
  [[nodiscard]] virtual std::optional<double> log_p_interval(double a, double b) const = 0;
  [[nodiscard]] virtual std::optional<double> log_q_interval(double a, double b) const = 0;

  [[nodiscard]] double clamped_loss(double x) const;
  [[nodiscard]] double outcome_of(double z, double guess, double step) const;
  [[nodiscard]] LossCell cell(double a, double b) const;
  [[nodiscard]] LossCell smooth_cell(double a, double b, int depth) const;
  [[nodiscard]] LossCell analytic_cell(double a, double b) const;
  [[nodiscard]] bool is_narrow(double a, double b) const;
  template <class LogDensity>
  [[nodiscard]] std::optional<double> log_flat_interval(double a, double b, const LogDensity& log_density) const;
  [[nodiscard]] double saturated(double direction) const;

  Line line_;
  LossRange range_;
  double saturated_left_ = -infinity, saturated_right_ = infinity;
};

}  // namespace pld
