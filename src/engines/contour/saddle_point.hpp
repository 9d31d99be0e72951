#pragma once

#include <optional>

#include "engines/contour/composed_moment.hpp"

namespace pld::contour {

/// What the inverse Laplace integral of e^{K(t) - eps t} / (t (t+1)) along Re t = lambda gives, by where lambda lies
/// relative to the poles: delta(eps) for lambda > 0; 1 - delta(eps), with a minus sign, for -1 < lambda < 0;
/// delta(eps) - (1 - e^eps) = e^eps H_{e^-eps}(Q||P) for lambda < -1. Each is an expectation of something
/// non-negative, so each keeps its relative accuracy however small it is.
enum class Quantity { delta, complement, reverse };

/// The point of a line Re t = lambda where the integrand of its quantity is stationary.
struct SaddlePoint {
  Quantity quantity = Quantity::delta;
  double lambda = 1;
  double epsilon = 0;
  double log_value = 0;  ///< log of the quantity at epsilon, by the saddle-point approximation
};

/// The point whose integrand is stationary at this lambda.
[[nodiscard]] SaddlePoint saddle_at_tilt(const ComposedMoment& moment, Quantity quantity, double lambda);

/// Where K'(lambda) - 1/lambda - 1/(1+lambda) = epsilon. std::nullopt: none within range.
/// `near`: a lambda to start from.
[[nodiscard]] std::optional<SaddlePoint> saddle_for_epsilon(const ComposedMoment& moment, Quantity quantity,
                                                            double epsilon, std::optional<double> near = {});

/// The saddle point whose approximate value is e^log_value, log_value < 0. Quantity::delta or Quantity::complement.
[[nodiscard]] std::optional<SaddlePoint> saddle_for_value(const ComposedMoment& moment, Quantity quantity,
                                                          double log_value, std::optional<double> near = {});

/// The saddle point, or a tilt nearer to its pole, where losses that are rare there make the saddle's own law wider:
/// its variance `wider` times that of a first step. The nodes of a line grow with that width. The integrand is at most
/// e times as large there.
[[nodiscard]] SaddlePoint short_of_rare_losses(const ComposedMoment& moment, const SaddlePoint& saddle, double wider);

/// The saddle point of truncated means, or a tilt below it at which what lies at their cuts hardly counts
/// (ComposedMoment::is_light): lines know no other.
[[nodiscard]] SaddlePoint short_of_cuts(const ComposedMoment& moment, const SaddlePoint& saddle, double log_width);

}  // namespace pld::contour
