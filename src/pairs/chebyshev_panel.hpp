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
/// value there; an error of the values grows by 1 + 2/pi log terms at most, the Lebesgue constant.
template <std::size_t terms>
class ChebyshevSum {
 public:
  using Values = std::array<double, terms>;

  ChebyshevSum() = default;
  explicit ChebyshevSum(const Values& at_nodes) {
    for (std::size_t k = 0; k < terms; ++k) {
      double sum = 0;
      for (std::size_t j = 0; j < terms; ++j) sum += at_nodes[j] * polynomials_at_nodes()[k][j];
      coefficients_[k] = sum * (k == 0 ? 1.0 : 2.0) / terms;
    }
  }

  [[nodiscard]] static double node(std::size_t j) {
    return std::cos(std::numbers::pi * (static_cast<double>(j) + 0.5) / terms);
  }

  /// At `n` places at once, by Clenshaw's recurrence. A step's rounding is as one of its coefficient c_k, which a
  /// polynomial of at most 1 multiplies: all come to less than 3 u sum |c_k| (1 + 3/2 k (k + 1)).
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

  /// By d_{k-1} = d_{k+1} + 2 k c_k.
  [[nodiscard]] ChebyshevSum slope() const {
    ChebyshevSum out;
    for (std::size_t k = terms - 1; k > 0; --k)
      out.coefficients_[k - 1] =
          (k + 1 < terms ? out.coefficients_[k + 1] : 0) + 2 * static_cast<double>(k) * coefficients_[k];
    out.coefficients_[0] /= 2;
    return out;
  }

 private:
  /// cos(k pi (j + 1/2) / terms), the value of the polynomial k at the node j.
  [[nodiscard]] static const std::array<Values, terms>& polynomials_at_nodes() {
    static const auto all = [] {
      std::array<Values, terms> values{};
      for (std::size_t k = 0; k < terms; ++k)
        for (std::size_t j = 0; j < terms; ++j)
          values[k][j] =
              std::cos(std::numbers::pi * static_cast<double>(k * (2 * j + 1) % (4 * terms)) / (2.0 * terms));
      return values;
    }();
    return all;
  }

  Values coefficients_{};
};

/// Whether log P has lost digits as the sum of log Q and the loss, of which each is off by some units in its own last
/// place.
[[nodiscard]] inline bool cancels(double log_q, double loss) {
  return std::fabs(log_q) > 2 * (1 + std::fabs(log_q + loss));
}

/// Panels of many small cells and of a few wider ones. For a `margin` of so many panels either side the line is as
/// smooth: functions take `terms`, and cells of up to the `largest_part` so many nodes of Gauss's rule. What is left
/// out is some 1e-19 of the largest value.
struct ManyCells {
  static constexpr double margin = 9, largest_part = 0.125, fewest = 16;
  static constexpr std::size_t terms = 12;
  static constexpr unsigned nodes = 4;
};
struct FewCells {
  static constexpr double margin = 2, largest_part = 0.5, fewest = 2;
  static constexpr std::size_t terms = 20;
  static constexpr unsigned nodes = 8;
};

/// Both densities and the loss over a piece of the line of outcomes, for the cells in it.
template <class Cells>
class ChebyshevPanel {
 public:
  using Sum = ChebyshevSum<Cells::terms>;

  /// The outcomes between a and b, where log_q_density() and loss() are analytic in the ellipse about them whose long
  /// half axis is (1 + 2 margin) times theirs.
  template <class LogQDensity, class LogPDensity, class Loss>
  ChebyshevPanel(double a, double b, const LogQDensity& log_q_density, const LogPDensity& log_p_density,
                 const Loss& loss)
      : centre_(a + (b - a) / 2), half_((b - a) / 2), log_q_(log_q_density(centre_)), loss_(loss(centre_)) {
    if (cancels(log_q_, loss_)) log_p_ = log_p_density(centre_);
    typename Sum::Values q, p, losses, own_p{};
    for (std::size_t j = 0; j < Cells::terms; ++j) {
      const double x = centre_ + half_ * Sum::node(j);
      losses[j] = loss(x) - loss_;
      q[j] = std::exp(log_q_density(x) - log_q_);
      p[j] = q[j] * std::exp(losses[j]);
      if (log_p_) own_p[j] = std::exp(log_p_density(x) - *log_p_);
    }
    q_ = Sum(q), p_ = Sum(p), losses_ = Sum(losses), slope_ = losses_.slope();
    if (log_p_) own_p_ = Sum(own_p);
  }

  /// The outcome with a loss, near `guess`; none where that is not found in the piece.
  [[nodiscard]] std::optional<double> outcome_at(double loss, double guess) const;

  /// The outcomes between a < b of the piece, at most Cells::largest_part of it.
  [[nodiscard]] LossCell between(double a, double b) const;

 private:
  double centre_, half_;
  double log_q_, loss_;            ///< at the centre
  Sum q_, p_, losses_, slope_;     ///< densities over Q's at the centre; the loss less the centre's
  std::optional<double> log_p_{};  ///< P's density at the centre, and P's over that, where sums of log Q and the loss
  Sum own_p_;                      ///< cancel
};

extern template class ChebyshevPanel<ManyCells>;
extern template class ChebyshevPanel<FewCells>;

}  // namespace pld
