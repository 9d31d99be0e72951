#pragma once

#include <cstddef>
#include <vector>

#include "engines/contour/mean_moments.hpp"

namespace pld::contour {

/// Taylor's series about 0 of F_k(z) = E R^k e^{-zR}, of the mean R of T independent ratios e^{mu x - mu^2/2}, x ~
/// N(0,1): R's moments at whole powers (docs/contour_engine.md).
class MeanSeries {
 public:
  /// Domain: mu > 0; steps >= 2.
  MeanSeries(double mu, double steps, std::size_t orders);

  /// Whether moments are doubles.
  [[nodiscard]] bool usable() const { return usable_; }

  /// What z counts in, and F_k in its kth power over k!.
  [[nodiscard]] double scale() const { return scale_; }
  /// log of scale^k / k!, of series for so many orders.
  [[nodiscard]] static Sharp log_unit(std::size_t orders, std::size_t k);
  /// log of E R^k scale^k / k! from above.
  [[nodiscard]] double log_moment(std::size_t k) const;

  /// Up to which log |z| a few terms serve for all orders. Domain: usable().
  [[nodiscard]] double end() const { return end_; }

  /// A sum, and bounds on its error and on the sum of its terms' moduli.
  struct Sum {
    Sharp re = 0, im = 0;
    double error = 0, size = 0;
  };
  /// The places z = e^{y + i angle}, y = n step, of a ray up to the last.
  struct Places {
    double angle = 0, step = 0;
    long last = 0;
  };
  /// The sum over them of e^{(c + is)(y - y_last)} F_k(z) scale^k / k!: of a geometric series for every term. Domain:
  /// y_last <= end(); c > 0; s step is a double.
  [[nodiscard]] Sum sum(std::size_t k, const Places& places, Sharp c, double s) const;

  /// The same for real z at s = 0, and of y and y^2 times the terms: about.
  struct Spread {
    double total = 0, first = 0, second = 0;
  };
  [[nodiscard]] Spread spread(std::size_t k, const Places& places, double c) const;

 private:
  static constexpr std::size_t terms = 8;

  double scale_, end_ = 0;
  bool usable_ = true;
  std::vector<Sharp> moments_;  ///< E R^k scale^k / k!, up to some more orders
  std::vector<double> moment_errors_;
};

}  // namespace pld::contour
