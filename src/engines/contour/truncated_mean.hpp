#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "engines/contour/mean_moments.hpp"
#include "engines/contour/ratio_moments.hpp"

namespace pld::contour {

/// The mean R of T independent ratios w = e^{mu x - mu^2/2}, x ~ N(0,1), where no x is above a cut, and nothing where
/// one is. With M(z) = E[e^{zw/T}; x <= cut] its moments are
///     G(p) = Gamma(p + 1) / (2 pi i) times the integral of M(z)^T z^{-p-1} over a line Re z = x > 0,
/// whatever the power, as long as what lies at the cut has no weight in M (docs/contour_engine.md). Safe to ask from
/// several threads.
class TruncatedMean {
 public:
  /// Cut where it loses at most e^-nats of P's mass and of Q's, and farther out where the moment of order `rho` wants
  /// it. Domain: mu > 0; steps >= 2; nats > 0; rho >= 0.
  TruncatedMean(double mu, double steps, double nats, double rho);

  /// No x is above it.
  [[nodiscard]] double cut() const { return cut_; }
  /// log of a bound on P's mass that is cut, and on Q's.
  [[nodiscard]] double log_lost() const;

  /// Smaller powers have other ways.
  static constexpr double lowest = 16;
  /// Whether what lies at the cut hardly moves an answer of such a width in logarithms, about.
  [[nodiscard]] bool is_light(double rho, double log_width) const;
  /// Whether moments of this order hardly depend on where the cut is.
  [[nodiscard]] bool reaches(double rho) const;

  /// log G(rho) and a bound on its error. Domain: reaches(rho).
  [[nodiscard]] MeanMoment moment(double rho) const;

  /// log G(rho), mean and variance of log R tilted by R^rho, for searching. Domain: reaches(rho).
  [[nodiscard]] Cumulant cumulant(double rho) const;

  /// G(rho + is) / G(rho) at s = 0, step, .., last step. nullptr: what lies at the cut counts too much. Domain:
  /// reaches(rho).
  [[nodiscard]] std::shared_ptr<const std::vector<MeanRatio>> ratios(double rho, double step, std::size_t last) const;

  /// log of a bound on |G(rho + is')| / G(rho) for all s' >= s. Domain: reaches(rho).
  [[nodiscard]] double log_decay(double rho, double s) const;

 private:
  struct Outcomes;
  struct RealTransform;
  class Line;
  [[nodiscard]] Outcomes outcomes(double highest_place) const;
  [[nodiscard]] RealTransform real_transform(const Outcomes& outcomes, double z) const;
  [[nodiscard]] const Line& real_line(double rho) const;
  [[nodiscard]] double ratio_at(double x) const;
  [[nodiscard]] double log_density(double x) const;

  double mu_, steps_, cut_;
  double turn_;  ///< height of the strip that the rule over outcomes is bounded in
  mutable std::mutex asking_;
  mutable std::map<double, std::shared_ptr<const Line>> real_lines_;
};

}  // namespace pld::contour
