#pragma once

#include <optional>
#include <vector>

#include "numeric/later.hpp"
#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// A pair of laws on the real line of outcomes whose loss does not fall from left to right: an interval of losses is an
/// interval of outcomes, and its edges are found by root search. A family gives the loss at an outcome and the masses
/// between two.
class OutcomePair : public DominatingPair {
 public:
  [[nodiscard]] LossRange range() const override { return range_; }
  [[nodiscard]] std::vector<LossCell> atoms(LossRange within) const override;
  [[nodiscard]] bool has_density() const override { return line_.rising_from < line_.rising_to; }
  void cells(std::span<const double> edges, std::vector<LossCell>& out) const override;
  [[nodiscard]] double cell_cost() const override { return 24; }
  [[nodiscard]] LossCell above(double z) const override;
  [[nodiscard]] LossCell below(double z) const override;
  [[nodiscard]] std::optional<double> spacing() const override;
  [[nodiscard]] std::vector<LossCell> outline() const override;

  /// All outcomes in (a, b) as one cell; empty where a >= b.
  [[nodiscard]] virtual LossCell between(double a, double b) const = 0;

  /// The loss at an outcome, the limit where it is flat.
  [[nodiscard]] double loss_of(double x) const;

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
    std::function<std::vector<double>()> outline{};  ///< edges that outline the law, increasing: asked once, if ever
  };
  OutcomePair() = default;

  /// Where little is known of a law's shape: so many edges, at equal distances from 39 below 0 to 39 above a last
  /// centre.
  [[nodiscard]] static std::vector<double> evenly_outlined(double last_centre);

  /// To be called once the derived object can answer loss_at().
  void place(Line line, LossRange range);
  [[nodiscard]] const Line& line() const { return line_; }

  /// The outcome with loss z, or the end of the rising ones on that side.
  [[nodiscard]] double outcome_at(double z) const { return outcome_of(z, line_.centre, line_.step); }
  /// outcome_at(), but no further out than where the loss is its limit to a unit of round-off.
  [[nodiscard]] double unsaturated_outcome_at(double z) const;

  /// Where cells are being cut, from left to right.
  struct Walk {
    double left, last;  ///< outcome so far, and of the last edge
    double step;        ///< between the last two edges
    double panel = 0;   ///< for cells_at_once() to keep
  };
  /// Cuts the cells up to the first of the edges, none or several in less time than each alone, and walks on over them.
  /// Returns how many.
  virtual std::size_t cells_at_once(std::span<const double>, Walk&, std::vector<LossCell>&) const { return 0; }

 private:
  /// Loss at an outcome within (rising_from, rising_to).
  [[nodiscard]] virtual double loss_at(double x) const = 0;

  /// The outcome of a loss within the range, to some units of round-off, where there is a closed form.
  [[nodiscard]] virtual std::optional<double> known_outcome(double) const { return std::nullopt; }

  [[nodiscard]] double outcome_of(double z, double guess, double step) const;
  [[nodiscard]] double saturated(double direction) const;
  [[nodiscard]] std::vector<LossCell> outlined() const;

  Line line_;
  LossRange range_;
  double saturated_left_ = -infinity, saturated_right_ = infinity;
  Later<std::vector<LossCell>> outline_{
      [this] { return outlined(); }};  ///< every question about a composition begins with its outlines
};

}  // namespace pld
