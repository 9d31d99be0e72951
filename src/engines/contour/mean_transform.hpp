#pragma once

#include <cstddef>
#include <vector>

#include "engines/contour/mean_moments.hpp"
#include "engines/contour/mean_series.hpp"
#include "engines/contour/power_series.hpp"

namespace pld::contour {

/// The transform F_k(z) = E R^k e^{-zR} of the mean R of T independent ratios w = e^{mu x - mu^2/2}, x ~ N(0,1), at
/// places z = e^{i step + i angle} of a ray, for all orders k up to some (docs/contour_engine.md).
class MeanTransform {
 public:
  /// For integrals of |z|^c F_k(z) of c up to most_c. Domain: mu > 0; steps >= 2; 0 <= angle <= pi/2; step > 0 is of
  /// few bits.
  MeanTransform(double mu, double steps, double angle, std::size_t orders, double step, double most_c);

  /// Whether moments are doubles, and no more points are needed than are worth it.
  [[nodiscard]] bool usable() const { return usable_; }

  /// e^-log_size F_k(z) scale^k / k!, and a bound on how far it is off: order by order.
  struct Values {
    Sharp log_size = 0;
    std::vector<Sharp> re, im, error;
  };
  /// What it takes to make ready for the places from `first` to `last`; infinity: more memory than a question has.
  /// Domain: series().end() < first * step.
  [[nodiscard]] double points(long first, long last) const;
  /// Domain: points(first, last) is finite.
  void prepare(long first, long last);
  /// Domain: place between those that were prepared for.
  void at(long place, Values& out);

  /// Its series about 0: what it counts in, and the places that need no points.
  [[nodiscard]] const MeanSeries& series() const { return series_; }
  /// log |z| below which the sum of |z|^c F_k(z) over places leaves next to nothing beside one of e^log_sum.
  [[nodiscard]] double first_log(double c, std::size_t k, double log_sum) const;

  /// log of a bound on step times the sum of |F_k(z')| |z'|^c over all places z' beyond log |z| = y, for c > 0.
  [[nodiscard]] double log_rest(double y, double c, std::size_t k) const;
  /// The same over all places below it, of F_k scale^k / k!.
  [[nodiscard]] double log_below(double y, double c, std::size_t k) const;

 private:
  [[nodiscard]] long kernels(long first, long last) const;
  void place_points();
  void weigh_points();
  [[nodiscard]] double log_damped_moment(std::size_t k, double damping) const;
  [[nodiscard]] bool is_near_one(double y) const;
  class Window;
  /// E w^k e^{-zw/T} unit^k on the shifted line, and of moduli, one order more. Where that of order 0 is near 1, its
  /// excess over 1, and what goes with that one's rounding.
  void sum(long place, Series& sums) const;
  void find_left_out(long place);
  void bound_only(const Series& a, const std::vector<double>& doubts, Values& out) const;

  double mu_, steps_, angle_;
  std::size_t orders_;
  MeanSeries series_;
  double scale_, step_;
  double pull_;  ///< the largest power of 1 / w that the integrals weigh a step by
  bool usable_;

  // The points of the shifted line x - i shift. From one to the next log w grows by `stride` of the steps in which z w
  // / T is tabled, of which there are `fine` between two places.
  Sharp shift_ = 0, spacing_ = 0;
  Sharp turn_ = 0, shift_turn_ = 0;  ///< of w z and of w
  long stride_ = 1, fine_ = 1, lowest_ = 0;
  std::size_t points_ = 0;
  double farthest_log_ = 0;                      ///< that the sizes log w is made of come to
  std::vector<Series> weights_;                  ///< h phi w^k unit^k, by orders
  double log_quadrature_ = 0, edge_cosine_ = 1;  ///< the rule's error over moments damped so much
  double log_cut_ = 0;                           ///< the same of the points left out

  /// e^{-t - iu} where t + iu = z w / T, less 1 and as it is, and what goes with rounding.
  struct Kernel {
    std::vector<Sharp> excess_re, excess_im, re;
    std::vector<double> size, felt;
  };
  std::vector<Kernel> kernels_;  ///< at every stride-th step, by the first of them
  long first_kernel_ = 0;
  long left_out_of_ = 0;
  std::vector<double> left_out_;  ///< of the sums, at places from left_out_of_ on
};

}  // namespace pld::contour
