#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>

#include "pld/pairs/dominating_pair.hpp"

namespace pld {

/// A function on [-1, 1] by its values at the zeros of the Chebyshev polynomial of degree `terms`. Where it is analytic
/// in the ellipse whose half axes add up to r, what is left out is at most 4 r^(1 - terms) / (r - 1) of its largest
/// value there; an error of the values grows by 2.6 at most, the Lebesgue constant.
class ChebyshevSum {
 public:
  static constexpr std::size_t terms = 12;
  using Values = std::array<double, terms>;

  ChebyshevSum() = default;
  explicit ChebyshevSum(const Values& at_nodes);

  [[nodiscard]] static double node(std::size_t j) {
    return std::cos(std::numbers::pi * (static_cast<double>(j) + 0.5) / terms);
  }

  /// At `n` places at once, by Clenshaw's recurrence: round-off below 26 u of the sum of |coefficients|.
  template <std::size_t n>
  [[nodiscard]] std::array<double, n> at(const std::array<double, n>& t) const {
    std::array<double, n> one{}, two{};
    for (std::size_t k = terms - 1; k > 0; --k)
      for (std::size_t i = 0; i < n; ++i) {
        const double next = coefficients_[k] + 2 * t[i] * one[i] - two[i];
        two[i] = one[i];
        one[i] = next;
      }
    for (std::size_t i = 0; i < n; ++i) one[i] = coefficients_[0] + t[i] * one[i] - two[i];
    return one;
  }

  [[nodiscard]] ChebyshevSum slope() const;

 private:
  Values coefficients_{};
};

/// Both densities and the loss over a piece of the line of outcomes, for many cells in it.
class ChebyshevPanel {
 public:
  /// The largest part of the piece that a cell may be: four Gauss nodes are then enough.
  static constexpr double largest_part = 0.125;

  /// The outcomes between a and b, where log_q_density() and loss() are analytic in the ellipse of 38 about them.
  template <class LogQDensity, class Loss>
  ChebyshevPanel(double a, double b, const LogQDensity& log_q_density, const Loss& loss)
      : centre_(a + (b - a) / 2), half_((b - a) / 2), log_q_(log_q_density(centre_)), loss_(loss(centre_)) {
    ChebyshevSum::Values q, p, losses;
    for (std::size_t j = 0; j < ChebyshevSum::terms; ++j) {
      const double x = centre_ + half_ * ChebyshevSum::node(j);
      losses[j] = loss(x) - loss_;
      q[j] = std::exp(log_q_density(x) - log_q_);
      p[j] = q[j] * std::exp(losses[j]);
    }
    q_ = ChebyshevSum(q), p_ = ChebyshevSum(p), losses_ = ChebyshevSum(losses), slope_ = losses_.slope();
  }

  /// The outcome with a loss, near `guess`; none where that is not found in the piece.
  [[nodiscard]] std::optional<double> outcome_at(double loss, double guess) const;

  /// The outcomes between a < b of the piece, at most largest_part of it.
  [[nodiscard]] LossCell between(double a, double b) const;

 private:
  double centre_, half_;
  double log_q_, loss_;                  ///< at the centre
  ChebyshevSum q_, p_, losses_, slope_;  ///< densities over Q's at the centre; the loss less the centre's
};

}  // namespace pld
